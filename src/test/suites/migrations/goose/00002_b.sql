-- +goose Up
alter table stamp add column u uuid default gen_random_uuid();
-- +goose StatementBegin
create function one() returns int language plpgsql as $$ begin return 1; end $$;
-- +goose StatementEnd
-- +goose Down
drop function one();
alter table stamp drop column u;

create or replace view names as select name from person order by 1;

-- The five TPC-C transactions as functions, one round trip each. The caller commits.
-- Written set-based: a statement inside a function costs far more than a further row in it.
-- Call: select * from bmsql_proc_...(...). Every function returns exactly one row.
-- Errors: P0001 for an unused item (TPC-C 2.4.1.4), P0002 for a row that should exist and does not,
-- 22004 for a null that a row would be made of.

-- TPC-C 2.5.2.2: of the n customers with this last name, sorted by first name, the one at position
-- n/2 rounded up. Null if there is none.
create or replace function bmsql_cid_from_clast(
    in_c_w_id integer,
    in_c_d_id integer,
    in_c_last varchar(16))
returns integer
as
$$
  select (array_agg(c_id order by c_first, c_id))[(count(*) + 1) / 2]
  from bmsql_customer
  where c_w_id = in_c_w_id and c_d_id = in_c_d_id and c_last = in_c_last
$$
language sql stable;

-- TPC-C 2.4.2.2. The three arrays hold the order's lines; the first item id of 0 ends them, so
-- fixed arrays of 15 and arrays of just the right length both work. ol_number is the position in
-- the arrays. The output arrays have one element per line, in the same order.
--
-- Stock quantity, d = quantity - ordered: TPC-C asks for d if d >= 10, else d + 91. Applied line
-- after line, an item that is ordered twice ends at the same number as here, where the sum is
-- subtracted at once and 91 added as often as it takes to reach 10: d + 91 * ((100 - d) / 91).
--
-- The update meets stock rows sorted by (warehouse, item), so that two orders do not lock the same
-- rows in opposite order.
create or replace function bmsql_proc_new_order(
    in_w_id integer,
    in_d_id integer,
    in_c_id integer,
    in_ol_supply_w_id integer[],
    in_ol_i_id integer[],
    in_ol_quantity integer[],
    out out_w_tax decimal(4,4),
    out out_d_tax decimal(4,4),
    out out_o_id integer,
    out out_o_entry_d timestamp,
    out out_o_ol_cnt integer,
    out out_total_amount decimal(12,2),
    out out_c_last varchar(16),
    out out_c_credit char(2),
    out out_c_discount decimal(4,4),
    out out_ol_amount decimal(6,2)[],
    out out_i_name varchar(24)[],
    out out_i_price decimal(5,2)[],
    out out_s_quantity integer[],
    out out_brand_generic char(1)[])
as
$$
declare
  var_line_cnt integer;
  var_null_cnt integer;
  var_all_local integer;
  var_sum decimal(12,2);
begin
  out_o_ol_cnt := coalesce(array_position(in_ol_i_id, 0) - 1, cardinality(in_ol_i_id));
  if out_o_ol_cnt < cardinality(in_ol_i_id) then
    in_ol_i_id := in_ol_i_id[1:out_o_ol_cnt];
    in_ol_supply_w_id := in_ol_supply_w_id[1:out_o_ol_cnt];
    in_ol_quantity := in_ol_quantity[1:out_o_ol_cnt];
  end if;
  var_all_local := case when in_w_id = all (in_ol_supply_w_id) then 1 else 0 end;
  out_o_entry_d := localtimestamp;

  update bmsql_district
    set d_next_o_id = d_next_o_id + 1
    where d_w_id = in_w_id and d_id = in_d_id
    returning d_next_o_id - 1, d_tax into out_o_id, out_d_tax;

  select w_tax, c_discount, c_last, c_credit
    into out_w_tax, out_c_discount, out_c_last, out_c_credit
    from bmsql_customer, bmsql_warehouse
    where w_id = in_w_id and c_w_id = in_w_id and c_d_id = in_d_id and c_id = in_c_id;
  if not found or out_o_id is null then
    raise exception 'Customer (%,%,%) does not exist', in_w_id, in_d_id, in_c_id
      using errcode = 'no_data_found';
  end if;

  insert into bmsql_oorder
      (o_w_id, o_d_id, o_id, o_c_id, o_ol_cnt, o_all_local, o_entry_d)
    values
      (in_w_id, in_d_id, out_o_id, in_c_id, out_o_ol_cnt, var_all_local, out_o_entry_d);
  insert into bmsql_new_order (no_w_id, no_d_id, no_o_id)
    values (in_w_id, in_d_id, out_o_id);

  with line as (
    select l.number::integer as number, l.supply_w_id, l.quantity, i_id, i_price, i_name, i_data
    from unnest(in_ol_supply_w_id, in_ol_i_id, in_ol_quantity)
        with ordinality as l(supply_w_id, item_id, quantity, number)
    join bmsql_item on i_id = l.item_id
  ),
  ordered as (
    select supply_w_id, i_id, sum(quantity)::integer as quantity, count(*)::integer as line_cnt
    from line
    group by supply_w_id, i_id
    order by supply_w_id, i_id
  ),
  taken as (
    update bmsql_stock
      set s_quantity = s_quantity - quantity + 91 * ((100 - s_quantity + quantity) / 91),
          s_ytd = s_ytd + quantity,
          s_order_cnt = s_order_cnt + line_cnt,
          s_remote_cnt = s_remote_cnt + case when s_w_id = in_w_id then 0 else line_cnt end
      from ordered
      where s_w_id = ordered.supply_w_id and s_i_id = ordered.i_id
      returning s_w_id, s_i_id, s_quantity, s_data,
        case in_d_id
          when 1 then s_dist_01 when 2 then s_dist_02 when 3 then s_dist_03
          when 4 then s_dist_04 when 5 then s_dist_05 when 6 then s_dist_06
          when 7 then s_dist_07 when 8 then s_dist_08 when 9 then s_dist_09
          else s_dist_10
        end as dist_info
  ),
  filled as (
    select number, supply_w_id, i_id, line.quantity, line.quantity * i_price as amount, dist_info,
      i_name, i_price, s_quantity,
      case when i_data like '%ORIGINAL%' and s_data like '%ORIGINAL%' then 'B' else 'G' end as brand
    from line
    join taken on s_w_id = supply_w_id and s_i_id = i_id
  ),
  inserted as (
    insert into bmsql_order_line
        (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount,
         ol_dist_info)
      select in_w_id, in_d_id, out_o_id, number, i_id, supply_w_id, quantity, amount, dist_info
      from filled
  )
  select count(*), count(*) filter (where num_nulls(amount, s_quantity, dist_info) > 0),
      sum(amount), array_agg(amount), array_agg(i_name), array_agg(i_price),
      array_agg(s_quantity), array_agg(brand)
    into var_line_cnt, var_null_cnt, var_sum, out_ol_amount, out_i_name, out_i_price,
      out_s_quantity, out_brand_generic
    from (select * from filled order by number) as sorted;

  -- TPC-C 2.4.2.3: with an unused item the work on the other lines is done, then all is rolled back.
  if var_line_cnt <> out_o_ol_cnt then
    if exists (
      select from unnest(in_ol_i_id) as l(item_id)
      where not exists (select from bmsql_item where i_id = l.item_id)
    ) then
      raise exception 'Item number is not valid';
    end if;
    raise exception 'A stock row of the order does not exist'
      using errcode = 'no_data_found';
  end if;
  if var_null_cnt > 0 then
    raise exception 'A price, quantity or district text of the order is null'
      using errcode = 'null_value_not_allowed';
  end if;
  out_total_amount := round(var_sum * (1 - out_c_discount) * (1 + out_w_tax + out_d_tax), 2);
end;
$$
language plpgsql;

-- TPC-C 2.5.2.2. By last name if in_c_id is null or 0. The warehouse row, which all terminals of a
-- warehouse share, is locked last and so for the shortest time.
create or replace function bmsql_proc_payment(
    in_w_id integer,
    in_d_id integer,
    in_c_id integer,
    in_c_d_id integer,
    in_c_w_id integer,
    in_c_last varchar(16),
    in_h_amount decimal(6,2),
    out out_w_name varchar(10),
    out out_w_street_1 varchar(20),
    out out_w_street_2 varchar(20),
    out out_w_city varchar(20),
    out out_w_state char(2),
    out out_w_zip char(9),
    out out_d_name varchar(10),
    out out_d_street_1 varchar(20),
    out out_d_street_2 varchar(20),
    out out_d_city varchar(20),
    out out_d_state char(2),
    out out_d_zip char(9),
    out out_c_id integer,
    out out_c_first varchar(16),
    out out_c_middle char(2),
    out out_c_last varchar(16),
    out out_c_street_1 varchar(20),
    out out_c_street_2 varchar(20),
    out out_c_city varchar(20),
    out out_c_state char(2),
    out out_c_zip char(9),
    out out_c_phone char(16),
    out out_c_since timestamp,
    out out_c_credit char(2),
    out out_c_credit_lim decimal(12,2),
    out out_c_discount decimal(4,4),
    out out_c_balance decimal(12,2),
    out out_c_data varchar(500),
    out out_h_date timestamp)
as
$$
declare
  var_amount decimal(6,2) := in_h_amount;
begin
  out_h_date := localtimestamp;
  out_c_id := in_c_id;
  if in_c_id is null or in_c_id = 0 then
    select (array_agg(c_id order by c_first, c_id))[(count(*) + 1) / 2] into out_c_id
      from bmsql_customer
      where c_w_id = in_c_w_id and c_d_id = in_c_d_id and c_last = in_c_last;
  end if;

  update bmsql_customer
    set c_balance = c_balance - var_amount,
        c_ytd_payment = c_ytd_payment + var_amount,
        c_payment_cnt = c_payment_cnt + 1,
        c_data = case when c_credit = 'BC'
          then left(
            'C_ID=' || c_id || ' C_D_ID=' || c_d_id || ' C_W_ID=' || c_w_id
              || ' D_ID=' || in_d_id || ' W_ID=' || in_w_id
              || ' H_AMOUNT=' || var_amount || '   ' || c_data,
            500)
          else c_data
        end
    where c_w_id = in_c_w_id and c_d_id = in_c_d_id and c_id = out_c_id
    returning c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone,
        c_since, c_credit, c_credit_lim, c_discount, c_balance,
        case when c_credit = 'BC' then c_data end
    into out_c_first, out_c_middle, out_c_last, out_c_street_1, out_c_street_2, out_c_city,
        out_c_state, out_c_zip, out_c_phone, out_c_since, out_c_credit, out_c_credit_lim,
        out_c_discount, out_c_balance, out_c_data;
  if not found then
    raise exception 'Customer (%,%,%,%) does not exist', in_c_w_id, in_c_d_id, in_c_id, in_c_last
      using errcode = 'no_data_found';
  end if;

  update bmsql_district
    set d_ytd = d_ytd + var_amount
    where d_w_id = in_w_id and d_id = in_d_id
    returning d_name, d_street_1, d_street_2, d_city, d_state, d_zip
    into out_d_name, out_d_street_1, out_d_street_2, out_d_city, out_d_state, out_d_zip;
  if not found then
    raise exception 'District (%,%) does not exist', in_w_id, in_d_id
      using errcode = 'no_data_found';
  end if;

  insert into bmsql_history
      (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
    select out_c_id, in_c_d_id, in_c_w_id, in_d_id, in_w_id, out_h_date, var_amount,
        w_name || '    ' || out_d_name
      from bmsql_warehouse
      where w_id = in_w_id;

  update bmsql_warehouse
    set w_ytd = w_ytd + var_amount
    where w_id = in_w_id
    returning w_name, w_street_1, w_street_2, w_city, w_state, w_zip
    into out_w_name, out_w_street_1, out_w_street_2, out_w_city, out_w_state, out_w_zip;
  if not found then
    raise exception 'Warehouse (%) does not exist', in_w_id
      using errcode = 'no_data_found';
  end if;
  if num_nulls(out_w_name, out_d_name, out_c_credit) > 0
      or (out_c_credit = 'BC' and out_c_data is null) then
    raise exception 'A name, c_credit or c_data of the payment is null'
      using errcode = 'null_value_not_allowed';
  end if;
end;
$$
language plpgsql;

-- TPC-C 2.6.2.2. By last name if in_c_id is null or 0. The arrays have one element per line of the
-- customer's last order, in the order of ol_number; a customer without orders gets nulls.
create or replace function bmsql_proc_order_status(
    in_w_id integer,
    in_d_id integer,
    in_c_id integer,
    in_c_last varchar(16),
    out out_c_id integer,
    out out_c_first varchar(16),
    out out_c_middle char(2),
    out out_c_last varchar(16),
    out out_c_balance decimal(12,2),
    out out_o_id integer,
    out out_o_entry_d timestamp,
    out out_o_carrier_id integer,
    out out_ol_supply_w_id integer[],
    out out_ol_i_id integer[],
    out out_ol_quantity integer[],
    out out_ol_amount decimal(6,2)[],
    out out_ol_delivery_d timestamp[])
as
$$
begin
  out_c_id := in_c_id;
  if in_c_id is null or in_c_id = 0 then
    out_c_id := bmsql_cid_from_clast(in_w_id, in_d_id, in_c_last);
  end if;

  select c_first, c_middle, c_last, c_balance
    into out_c_first, out_c_middle, out_c_last, out_c_balance
    from bmsql_customer
    where c_w_id = in_w_id and c_d_id = in_d_id and c_id = out_c_id;
  if not found then
    raise exception 'Customer (%,%,%,%) does not exist', in_w_id, in_d_id, in_c_id, in_c_last
      using errcode = 'no_data_found';
  end if;

  -- No index leads from a customer to its orders. The district's orders are met from the newest on,
  -- and the first one of the customer ends the search; without "offset 0" the planner would rather
  -- read and sort them all.
  select o_id, o_entry_d, o_carrier_id
    into out_o_id, out_o_entry_d, out_o_carrier_id
    from (
      select o_id, o_entry_d, o_carrier_id, o_c_id
      from bmsql_oorder
      where o_w_id = in_w_id and o_d_id = in_d_id
      order by o_id desc
      offset 0
    ) as newest_first
    where o_c_id = out_c_id
    limit 1;

  select array_agg(ol_supply_w_id), array_agg(ol_i_id), array_agg(ol_quantity),
      array_agg(ol_amount), array_agg(ol_delivery_d)
    into out_ol_supply_w_id, out_ol_i_id, out_ol_quantity, out_ol_amount, out_ol_delivery_d
    from (
      select *
      from bmsql_order_line
      where ol_w_id = in_w_id and ol_d_id = in_d_id and ol_o_id = out_o_id
      order by ol_number
    ) as line;
end;
$$
language plpgsql stable;

-- TPC-C 2.8.2.2: how many items of the district's last 20 orders are low in stock, each item once.
create or replace function bmsql_proc_stock_level(
    in_w_id integer,
    in_d_id integer,
    in_threshold integer,
    out out_low_stock integer)
as
$$
declare
  var_next_o_id integer;
begin
  select d_next_o_id into var_next_o_id
    from bmsql_district
    where d_w_id = in_w_id and d_id = in_d_id;

  select count(*) into out_low_stock
    from (
      select distinct ol_i_id
      from bmsql_order_line
      where ol_w_id = in_w_id and ol_d_id = in_d_id
        and ol_o_id >= var_next_o_id - 20 and ol_o_id < var_next_o_id
    ) as recent
    join bmsql_stock on s_w_id = in_w_id and s_i_id = ol_i_id
    where s_quantity < in_threshold;
end;
$$
language plpgsql stable;

-- TPC-C 2.7.4.2 for the ten districts of a warehouse in one transaction. out_delivered_o_id has ten
-- elements, one for each district, null where no order was open; out_dskipped counts those.
--
-- When another delivery takes an order first, the delete waits for it, finds the row gone, and the
-- loop looks again in the districts concerned.
create or replace function bmsql_proc_delivery_bg(
    in_w_id integer,
    in_o_carrier_id integer,
    in_ol_delivery_d timestamp,
    out out_delivered_o_id integer[],
    out out_dskipped integer)
as
$$
declare
  var_pending integer[] := '{1,2,3,4,5,6,7,8,9,10}';
  var_d_id integer[] := '{}';
  var_o_id integer[] := '{}';
  var_deleted_d_id integer[];
  var_deleted_o_id integer[];
  var_customer_cnt integer;
begin
  loop
    with oldest as (
      select p.d_id, o.no_o_id
      from unnest(var_pending) as p(d_id)
      cross join lateral (
        select no_o_id
        from bmsql_new_order
        where no_w_id = in_w_id and no_d_id = p.d_id
        order by no_o_id
        limit 1
      ) as o
    ),
    deleted as (
      delete from bmsql_new_order as n
        using oldest
        where n.no_w_id = in_w_id and n.no_d_id = oldest.d_id and n.no_o_id = oldest.no_o_id
        returning n.no_d_id, n.no_o_id
    )
    select array_agg(oldest.d_id) filter (where deleted.no_d_id is null),
        array_agg(deleted.no_d_id) filter (where deleted.no_d_id is not null),
        array_agg(deleted.no_o_id) filter (where deleted.no_d_id is not null)
      into var_pending, var_deleted_d_id, var_deleted_o_id
      from oldest
      left join deleted on deleted.no_d_id = oldest.d_id;
    var_d_id := var_d_id || var_deleted_d_id;
    var_o_id := var_o_id || var_deleted_o_id;
    exit when var_pending is null;
  end loop;

  with delivered as (
    select * from unnest(var_d_id, var_o_id) as d(d_id, o_id)
  ),
  carried as (
    update bmsql_oorder
      set o_carrier_id = in_o_carrier_id
      from delivered
      where o_w_id = in_w_id and o_d_id = delivered.d_id and bmsql_oorder.o_id = delivered.o_id
      returning o_d_id, o_c_id
  ),
  line as (
    update bmsql_order_line
      set ol_delivery_d = in_ol_delivery_d
      from delivered
      where ol_w_id = in_w_id and ol_d_id = delivered.d_id and ol_o_id = delivered.o_id
      returning ol_d_id, ol_amount
  ),
  amount as (
    select ol_d_id, sum(ol_amount) as amount
      from line
      group by ol_d_id
      having sum(ol_amount) is not null
  )
  update bmsql_customer
    set c_balance = c_balance + amount.amount,
        c_delivery_cnt = c_delivery_cnt + 1
    from carried
    join amount on ol_d_id = o_d_id
    where c_w_id = in_w_id and c_d_id = o_d_id and c_id = o_c_id;
  -- One customer for each order, unless rows are missing.
  get diagnostics var_customer_cnt = row_count;
  if var_customer_cnt <> cardinality(var_o_id) then
    raise exception 'Of the orders % in districts % of warehouse %, % lack their row, lines or customer',
        var_o_id, var_d_id, in_w_id, cardinality(var_o_id) - var_customer_cnt
      using errcode = 'no_data_found';
  end if;

  select array_agg(delivered.o_id order by district), count(*) filter (where delivered.o_id is null)
    into out_delivered_o_id, out_dskipped
    from generate_series(1, 10) as district
    left join unnest(var_d_id, var_o_id) as delivered(d_id, o_id) on delivered.d_id = district;
end;
$$
language plpgsql;

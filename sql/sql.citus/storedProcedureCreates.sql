-- The five TPC-C transactions as functions for Citus, one round trip each. The coordinator hands a call
-- to the worker of its warehouse, which is also the one that commits; rows of other warehouses are
-- reached from there. The caller commits, and must not have begun a transaction of several statements:
-- Citus would keep its calls on the coordinator.
-- Nearly every statement reads or writes one table by its warehouse: a worker plans such a statement
-- once, and joins, subqueries and arrays of rows anew each time.
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
declare
  var_ids integer[];
begin
  select array_agg(c_id order by c_first, c_id) into var_ids
    from bmsql_customer
    where c_w_id = in_c_w_id and c_d_id = in_c_d_id and c_last = in_c_last;
  return var_ids[(cardinality(var_ids) + 1) / 2];
end;
$$
language plpgsql stable;

-- TPC-C 2.4.2.2. The three arrays hold the order's lines; the first item id of 0 ends them, so
-- fixed arrays of 15 and arrays of just the right length both work. ol_number is the position in
-- the arrays. The output arrays have one element per line, in the same order.
--
-- Stock rows are met sorted by (warehouse, item), so that two orders do not lock the same rows in
-- opposite order. An unused item of 2.4.1.4 has no row: the work on the other lines is done, then all
-- is rolled back (2.4.2.3).
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
  var_line record;
  var_item record;
  var_stock record;
  var_all_local integer;
  var_sum decimal(12,2) := 0;
  var_invalid boolean := false;
begin
  out_o_ol_cnt := coalesce(array_position(in_ol_i_id, 0) - 1, cardinality(in_ol_i_id));
  var_all_local :=
    case when in_w_id = all (in_ol_supply_w_id[1:out_o_ol_cnt]) then 1 else 0 end;
  out_o_entry_d := localtimestamp;

  update bmsql_district
    set d_next_o_id = d_next_o_id + 1
    where d_w_id = in_w_id and d_id = in_d_id
    returning d_next_o_id - 1, d_tax into out_o_id, out_d_tax;
  select w_tax into out_w_tax
    from bmsql_warehouse
    where w_id = in_w_id;
  select c_discount, c_last, c_credit into out_c_discount, out_c_last, out_c_credit
    from bmsql_customer
    where c_w_id = in_w_id and c_d_id = in_d_id and c_id = in_c_id;
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

  for var_line in
    select l.supply_w_id, l.item_id, l.quantity, l.number::integer as number
    from unnest(in_ol_supply_w_id[1:out_o_ol_cnt], in_ol_i_id, in_ol_quantity)
        with ordinality as l(supply_w_id, item_id, quantity, number)
    where l.number <= out_o_ol_cnt
    order by l.supply_w_id, l.item_id, l.number
  loop
    select i_price, i_name, i_data into var_item
      from bmsql_item
      where i_id = var_line.item_id;
    if not found then
      var_invalid := true;
      continue;
    end if;

    update bmsql_stock
      set s_quantity = s_quantity - var_line.quantity
            + case when s_quantity >= var_line.quantity + 10 then 0 else 91 end,
          s_ytd = s_ytd + var_line.quantity,
          s_order_cnt = s_order_cnt + 1,
          s_remote_cnt = s_remote_cnt + case when s_w_id = in_w_id then 0 else 1 end
      where s_w_id = var_line.supply_w_id and s_i_id = var_line.item_id
      returning s_quantity, s_data,
        (array[s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, s_dist_07,
          s_dist_08, s_dist_09, s_dist_10])[in_d_id] as dist_info
      into var_stock;
    if not found then
      raise exception 'A stock row of the order does not exist'
        using errcode = 'no_data_found';
    end if;
    if num_nulls(var_item.i_price, var_stock.s_quantity, var_stock.dist_info) > 0 then
      raise exception 'A price, quantity or district text of the order is null'
        using errcode = 'null_value_not_allowed';
    end if;

    out_ol_amount[var_line.number] := var_line.quantity * var_item.i_price;
    out_i_name[var_line.number] := var_item.i_name;
    out_i_price[var_line.number] := var_item.i_price;
    out_s_quantity[var_line.number] := var_stock.s_quantity;
    out_brand_generic[var_line.number] :=
      case when var_item.i_data like '%ORIGINAL%' and var_stock.s_data like '%ORIGINAL%'
        then 'B' else 'G' end;
    var_sum := var_sum + out_ol_amount[var_line.number];
    insert into bmsql_order_line
        (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount,
         ol_dist_info)
      values
        (in_w_id, in_d_id, out_o_id, var_line.number, var_line.item_id, var_line.supply_w_id,
         var_line.quantity, out_ol_amount[var_line.number], var_stock.dist_info);
  end loop;

  if var_invalid then
    raise exception 'Item number is not valid';
  end if;
  out_total_amount := round(var_sum * (1 - out_c_discount) * (1 + out_w_tax + out_d_tax), 2);
end;
$$
language plpgsql;

-- TPC-C 2.5.2.2. By last name if in_c_id is null or 0. The warehouse row, which all terminals of a
-- warehouse share, is locked late and so for a short time.
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
    out_c_id := bmsql_cid_from_clast(in_c_w_id, in_c_d_id, in_c_last);
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

  insert into bmsql_history
      (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
    values
      (out_c_id, in_c_d_id, in_c_w_id, in_d_id, in_w_id, out_h_date, var_amount,
       out_w_name || '    ' || out_d_name);
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

  -- No index leads from a customer to its orders: the district's are met from the newest on.
  select o_id, o_entry_d, o_carrier_id
    into out_o_id, out_o_entry_d, out_o_carrier_id
    from bmsql_oorder
    where o_w_id = in_w_id and o_d_id = in_d_id and o_c_id = out_c_id
    order by o_id desc
    limit 1;

  select array_agg(ol_supply_w_id order by ol_number), array_agg(ol_i_id order by ol_number),
      array_agg(ol_quantity order by ol_number), array_agg(ol_amount order by ol_number),
      array_agg(ol_delivery_d order by ol_number)
    into out_ol_supply_w_id, out_ol_i_id, out_ol_quantity, out_ol_amount, out_ol_delivery_d
    from bmsql_order_line
    where ol_w_id = in_w_id and ol_d_id = in_d_id and ol_o_id = out_o_id;
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
  var_items integer[];
begin
  select d_next_o_id into var_next_o_id
    from bmsql_district
    where d_w_id = in_w_id and d_id = in_d_id;

  select array_agg(distinct ol_i_id) into var_items
    from bmsql_order_line
    where ol_w_id = in_w_id and ol_d_id = in_d_id
      and ol_o_id >= var_next_o_id - 20 and ol_o_id < var_next_o_id;
  select count(*) into out_low_stock
    from bmsql_stock
    where s_w_id = in_w_id and s_i_id = any (var_items) and s_quantity < in_threshold;
end;
$$
language plpgsql stable;

-- TPC-C 2.7.4.2 for the ten districts of a warehouse in one transaction. out_delivered_o_id has ten
-- elements, one for each district, null where no order was open; out_dskipped counts those.
--
-- When another delivery takes an order first, the delete waits for it, finds the row gone, and the
-- loop looks for the next one.
create or replace function bmsql_proc_delivery_bg(
    in_w_id integer,
    in_o_carrier_id integer,
    in_ol_delivery_d timestamp,
    out out_delivered_o_id integer[],
    out out_dskipped integer)
as
$$
declare
  var_o_id integer;
  var_c_id integer;
  var_amount decimal(12,2);
begin
  out_dskipped := 0;
  for var_d_id in 1..10 loop
    loop
      select min(no_o_id) into var_o_id
        from bmsql_new_order
        where no_w_id = in_w_id and no_d_id = var_d_id;
      exit when var_o_id is null;
      delete from bmsql_new_order
        where no_w_id = in_w_id and no_d_id = var_d_id and no_o_id = var_o_id;
      exit when found;
    end loop;
    out_delivered_o_id[var_d_id] := var_o_id;
    if var_o_id is null then
      out_dskipped := out_dskipped + 1;
      continue;
    end if;

    update bmsql_oorder
      set o_carrier_id = in_o_carrier_id
      where o_w_id = in_w_id and o_d_id = var_d_id and o_id = var_o_id
      returning o_c_id into var_c_id;
    update bmsql_order_line
      set ol_delivery_d = in_ol_delivery_d
      where ol_w_id = in_w_id and ol_d_id = var_d_id and ol_o_id = var_o_id;
    select sum(ol_amount) into var_amount
      from bmsql_order_line
      where ol_w_id = in_w_id and ol_d_id = var_d_id and ol_o_id = var_o_id;
    update bmsql_customer
      set c_balance = c_balance + var_amount,
          c_delivery_cnt = c_delivery_cnt + 1
      where c_w_id = in_w_id and c_d_id = var_d_id and c_id = var_c_id and var_amount is not null;
    if not found then
      raise exception 'Of the orders % in districts % of warehouse %, 1 lack their row, lines or customer',
          var_o_id, var_d_id, in_w_id
        using errcode = 'no_data_found';
    end if;
  end loop;
end;
$$
language plpgsql;

-- From here on a call goes to the worker of in_w_id, but where the tables are not distributed.

select create_distributed_function(
    'bmsql_proc_new_order(integer, integer, integer, integer[], integer[], integer[])', 'in_w_id',
    colocate_with => 'bmsql_warehouse')
  from pg_dist_partition
  where logicalrelid = 'bmsql_warehouse'::regclass and partmethod = 'h';

select create_distributed_function(
    'bmsql_proc_payment(integer, integer, integer, integer, integer, varchar, decimal)', 'in_w_id',
    colocate_with => 'bmsql_warehouse')
  from pg_dist_partition
  where logicalrelid = 'bmsql_warehouse'::regclass and partmethod = 'h';

select create_distributed_function(
    'bmsql_proc_order_status(integer, integer, integer, varchar)', 'in_w_id',
    colocate_with => 'bmsql_warehouse')
  from pg_dist_partition
  where logicalrelid = 'bmsql_warehouse'::regclass and partmethod = 'h';

select create_distributed_function(
    'bmsql_proc_stock_level(integer, integer, integer)', 'in_w_id',
    colocate_with => 'bmsql_warehouse')
  from pg_dist_partition
  where logicalrelid = 'bmsql_warehouse'::regclass and partmethod = 'h';

select create_distributed_function(
    'bmsql_proc_delivery_bg(integer, integer, timestamp)', 'in_w_id',
    colocate_with => 'bmsql_warehouse')
  from pg_dist_partition
  where logicalrelid = 'bmsql_warehouse'::regclass and partmethod = 'h';

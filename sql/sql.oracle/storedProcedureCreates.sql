-- The five TPC-C transactions as a package, one call each. The caller commits.
-- Errors: ORA-20001 for an unused item (TPC-C 2.4.1.4), ORA-20002 for a row that should exist and
-- does not.

-- {
create or replace type bmsql_int_array as varray(15) of number;
-- }

-- {
create or replace package tpccc_oracle as
  procedure oracle_proc_new_order(
    in_w_id           in number,
    in_d_id           in number,
    in_c_id           in number,
    in_ol_supply_w_id in bmsql_int_array,
    in_ol_i_id        in bmsql_int_array,
    in_ol_quantity    in bmsql_int_array,
    out_w_tax         out number,
    out_d_tax         out number,
    out_o_id          out number,
    out_o_entry_d     out timestamp,
    out_o_ol_cnt      out number,
    out_total_amount  out number,
    out_c_last        out varchar2,
    out_c_credit      out varchar2,
    out_c_discount    out number,
    out_lines         out sys_refcursor);

  procedure oracle_proc_payment(
    in_w_id       in number,
    in_d_id       in number,
    in_c_id       in number,
    in_c_d_id     in number,
    in_c_w_id     in number,
    in_c_last     in varchar2,
    in_h_amount   in number,
    out_c_id      out number,
    out_c_balance out number,
    out_c_credit  out varchar2,
    out_h_date    out timestamp,
    out_screen    out sys_refcursor);

  procedure oracle_proc_order_status(
    in_w_id          in number,
    in_d_id          in number,
    in_c_id          in number,
    in_c_last        in varchar2,
    out_c_id         out number,
    out_c_first      out varchar2,
    out_c_middle     out varchar2,
    out_c_last       out varchar2,
    out_c_balance    out number,
    out_o_id         out number,
    out_o_entry_d    out timestamp,
    out_o_carrier_id out number,
    out_lines        out sys_refcursor);

  procedure oracle_proc_stock_level(
    in_w_id       in number,
    in_d_id       in number,
    in_threshold  in number,
    out_low_stock out number);

  procedure oracle_proc_delivery_bg(
    in_w_id          in number,
    in_o_carrier_id  in number,
    in_ol_delivery_d in timestamp,
    out_dskipped     out number);
end tpccc_oracle;
-- }

-- {
create or replace package body tpccc_oracle as
  -- TPC-C 2.5.2.2: position n/2 rounded up among the customers of that name by first name.
  function cid_from_clast(
    in_c_w_id in number, in_c_d_id in number, in_c_last in varchar2) return number
  is
    var_c_id number;
  begin
    select c_id into var_c_id
      from (
        select c_id,
          row_number() over (order by c_first, c_id) as position,
          count(*) over () as customer_cnt
        from bmsql_customer
        where c_w_id = in_c_w_id and c_d_id = in_c_d_id and c_last = in_c_last
      )
      where position = ceil(customer_cnt / 2);
    return var_c_id;
  exception
    when no_data_found then
      raise_application_error(-20002, 'Customer ' || in_c_last || ' does not exist');
  end cid_from_clast;

  -- Stock rows are locked in the order of (warehouse, item), so that two orders do not wait for
  -- each other; line numbers stay those of the arrays. An item id of 0 ends the lines.
  procedure oracle_proc_new_order(
    in_w_id           in number,
    in_d_id           in number,
    in_c_id           in number,
    in_ol_supply_w_id in bmsql_int_array,
    in_ol_i_id        in bmsql_int_array,
    in_ol_quantity    in bmsql_int_array,
    out_w_tax         out number,
    out_d_tax         out number,
    out_o_id          out number,
    out_o_entry_d     out timestamp,
    out_o_ol_cnt      out number,
    out_total_amount  out number,
    out_c_last        out varchar2,
    out_c_credit      out varchar2,
    out_c_discount    out number,
    out_lines         out sys_refcursor)
  is
    type position_list is table of pls_integer index by pls_integer;
    var_sorted    position_list;
    var_position  pls_integer;
    var_slot      pls_integer;
    var_all_local number := 1;
    var_invalid   boolean := false;
    var_price     number;
    var_dist      varchar2(24);
    var_sum       number := 0;
  begin
    out_o_entry_d := localtimestamp;
    out_o_ol_cnt := 0;
    for i in 1 .. in_ol_i_id.count loop
      exit when in_ol_i_id(i) = 0;
      out_o_ol_cnt := i;
      if in_ol_supply_w_id(i) <> in_w_id then
        var_all_local := 0;
      end if;
      var_slot := i;
      while var_slot > 1 and (
        in_ol_supply_w_id(var_sorted(var_slot - 1)) > in_ol_supply_w_id(i)
        or (in_ol_supply_w_id(var_sorted(var_slot - 1)) = in_ol_supply_w_id(i)
          and in_ol_i_id(var_sorted(var_slot - 1)) > in_ol_i_id(i))
      ) loop
        var_sorted(var_slot) := var_sorted(var_slot - 1);
        var_slot := var_slot - 1;
      end loop;
      var_sorted(var_slot) := i;
    end loop;

    update bmsql_district
      set d_next_o_id = d_next_o_id + 1
      where d_w_id = in_w_id and d_id = in_d_id
      returning d_next_o_id - 1, d_tax into out_o_id, out_d_tax;

    select w_tax, c_discount, c_last, c_credit
      into out_w_tax, out_c_discount, out_c_last, out_c_credit
      from bmsql_customer, bmsql_warehouse
      where w_id = in_w_id and c_w_id = in_w_id and c_d_id = in_d_id and c_id = in_c_id;

    insert into bmsql_oorder
        (o_w_id, o_d_id, o_id, o_c_id, o_ol_cnt, o_all_local, o_entry_d)
      values
        (in_w_id, in_d_id, out_o_id, in_c_id, out_o_ol_cnt, var_all_local, out_o_entry_d);
    insert into bmsql_new_order (no_w_id, no_d_id, no_o_id)
      values (in_w_id, in_d_id, out_o_id);

    for i in 1 .. out_o_ol_cnt loop
      var_position := var_sorted(i);
      begin
        select i_price into var_price
          from bmsql_item
          where i_id = in_ol_i_id(var_position);
        -- TPC-C 2.4.2.2: at least 10 must be left, else 91 are added.
        update bmsql_stock
          set s_quantity = case
                when s_quantity >= in_ol_quantity(var_position) + 10
                then s_quantity - in_ol_quantity(var_position)
                else s_quantity - in_ol_quantity(var_position) + 91
              end,
              s_ytd = s_ytd + in_ol_quantity(var_position),
              s_order_cnt = s_order_cnt + 1,
              s_remote_cnt = s_remote_cnt
                + case when s_w_id = in_w_id then 0 else 1 end
          where s_w_id = in_ol_supply_w_id(var_position) and s_i_id = in_ol_i_id(var_position)
          returning
            case in_d_id
              when 1 then s_dist_01 when 2 then s_dist_02 when 3 then s_dist_03
              when 4 then s_dist_04 when 5 then s_dist_05 when 6 then s_dist_06
              when 7 then s_dist_07 when 8 then s_dist_08 when 9 then s_dist_09
              else s_dist_10
            end
          into var_dist;
        if sql%rowcount = 0 or var_dist is null then
          raise_application_error(-20002, 'A stock row of the order or its text does not exist');
        end if;
        insert into bmsql_order_line
            (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity,
             ol_amount, ol_dist_info)
          values
            (in_w_id, in_d_id, out_o_id, var_position, in_ol_i_id(var_position),
             in_ol_supply_w_id(var_position), in_ol_quantity(var_position),
             var_price * in_ol_quantity(var_position), var_dist);
        var_sum := var_sum + var_price * in_ol_quantity(var_position);
      exception
        when no_data_found then
          var_invalid := true;
      end;
    end loop;

    -- TPC-C 2.4.2.3: the work on the other lines is done before all is rolled back.
    if var_invalid then
      raise_application_error(-20001, 'Item number is not valid');
    end if;
    out_total_amount :=
      round(var_sum * (1 - out_c_discount) * (1 + out_w_tax + out_d_tax), 2);

    open out_lines for
      select ol_number, ol_supply_w_id, ol_i_id, i_name, ol_quantity, s_quantity,
          case when i_data like '%ORIGINAL%' and s_data like '%ORIGINAL%' then 'B' else 'G' end
            as brand_generic,
          i_price, ol_amount
        from bmsql_order_line, bmsql_item, bmsql_stock
        where ol_w_id = in_w_id and ol_d_id = in_d_id and ol_o_id = out_o_id
          and i_id = ol_i_id and s_w_id = ol_supply_w_id and s_i_id = ol_i_id
        order by ol_number;
  exception
    when no_data_found then
      raise_application_error(-20002, 'Customer ' || in_c_id || ' does not exist');
  end oracle_proc_new_order;

  procedure oracle_proc_payment(
    in_w_id       in number,
    in_d_id       in number,
    in_c_id       in number,
    in_c_d_id     in number,
    in_c_w_id     in number,
    in_c_last     in varchar2,
    in_h_amount   in number,
    out_c_id      out number,
    out_c_balance out number,
    out_c_credit  out varchar2,
    out_h_date    out timestamp,
    out_screen    out sys_refcursor)
  is
  begin
    out_h_date := localtimestamp;
    if in_c_id is null or in_c_id = 0 then
      out_c_id := cid_from_clast(in_c_w_id, in_c_d_id, in_c_last);
    else
      out_c_id := in_c_id;
    end if;

    update bmsql_customer
      set c_balance = c_balance - in_h_amount,
          c_ytd_payment = c_ytd_payment + in_h_amount,
          c_payment_cnt = c_payment_cnt + 1,
          c_data = case
            when c_credit = 'BC' then substr(
              'C_ID=' || c_id || ' C_D_ID=' || c_d_id || ' C_W_ID=' || c_w_id
                || ' D_ID=' || in_d_id || ' W_ID=' || in_w_id
                || ' H_AMOUNT=' || trim(to_char(in_h_amount, '9990.99')) || '   ' || c_data,
              1, 500)
            else c_data
          end
      where c_w_id = in_c_w_id and c_d_id = in_c_d_id and c_id = out_c_id
      returning c_balance, c_credit into out_c_balance, out_c_credit;
    if sql%rowcount = 0 then
      raise_application_error(-20002, 'Customer ' || in_c_id || ' does not exist');
    end if;

    update bmsql_district
      set d_ytd = d_ytd + in_h_amount
      where d_w_id = in_w_id and d_id = in_d_id;

    insert into bmsql_history
        (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
      select out_c_id, in_c_d_id, in_c_w_id, in_d_id, in_w_id, out_h_date, in_h_amount,
          w_name || '    ' || d_name
        from bmsql_warehouse, bmsql_district
        where w_id = in_w_id and d_w_id = in_w_id and d_id = in_d_id;

    -- All terminals of a warehouse share its row: locked last, held for the shortest time.
    update bmsql_warehouse
      set w_ytd = w_ytd + in_h_amount
      where w_id = in_w_id;

    open out_screen for
      select w_name, w_street_1, w_street_2, w_city, w_state, w_zip,
          d_name, d_street_1, d_street_2, d_city, d_state, d_zip,
          c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip,
          c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance,
          case when c_credit = 'BC' then c_data end as c_data
        from bmsql_warehouse, bmsql_district, bmsql_customer
        where w_id = in_w_id and d_w_id = in_w_id and d_id = in_d_id
          and c_w_id = in_c_w_id and c_d_id = in_c_d_id and c_id = out_c_id;
  end oracle_proc_payment;

  procedure oracle_proc_order_status(
    in_w_id          in number,
    in_d_id          in number,
    in_c_id          in number,
    in_c_last        in varchar2,
    out_c_id         out number,
    out_c_first      out varchar2,
    out_c_middle     out varchar2,
    out_c_last       out varchar2,
    out_c_balance    out number,
    out_o_id         out number,
    out_o_entry_d    out timestamp,
    out_o_carrier_id out number,
    out_lines        out sys_refcursor)
  is
  begin
    if in_c_id is null or in_c_id = 0 then
      out_c_id := cid_from_clast(in_w_id, in_d_id, in_c_last);
    else
      out_c_id := in_c_id;
    end if;

    select c_first, c_middle, c_last, c_balance
      into out_c_first, out_c_middle, out_c_last, out_c_balance
      from bmsql_customer
      where c_w_id = in_w_id and c_d_id = in_d_id and c_id = out_c_id;

    select max(o_id) into out_o_id
      from bmsql_oorder
      where o_w_id = in_w_id and o_d_id = in_d_id and o_c_id = out_c_id;
    if out_o_id is not null then
      select o_entry_d, o_carrier_id into out_o_entry_d, out_o_carrier_id
        from bmsql_oorder
        where o_w_id = in_w_id and o_d_id = in_d_id and o_id = out_o_id;
    end if;

    open out_lines for
      select ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d
        from bmsql_order_line
        where ol_w_id = in_w_id and ol_d_id = in_d_id and ol_o_id = out_o_id
        order by ol_number;
  exception
    when no_data_found then
      raise_application_error(-20002, 'Customer ' || in_c_id || ' does not exist');
  end oracle_proc_order_status;

  procedure oracle_proc_stock_level(
    in_w_id       in number,
    in_d_id       in number,
    in_threshold  in number,
    out_low_stock out number)
  is
  begin
    select count(*) into out_low_stock
      from bmsql_stock
      where s_w_id = in_w_id and s_quantity < in_threshold
        and s_i_id in (
          select ol_i_id
          from bmsql_district, bmsql_order_line
          where d_w_id = in_w_id and d_id = in_d_id
            and ol_w_id = d_w_id and ol_d_id = d_id
            and ol_o_id >= d_next_o_id - 20 and ol_o_id < d_next_o_id
        );
  end oracle_proc_stock_level;

  -- When another delivery takes an order first, the delete waits for it and finds nothing; the loop
  -- then looks for the next one.
  procedure oracle_proc_delivery_bg(
    in_w_id          in number,
    in_o_carrier_id  in number,
    in_ol_delivery_d in timestamp,
    out_dskipped     out number)
  is
    var_o_id   number;
    var_c_id   number;
    var_amount number;
  begin
    out_dskipped := 0;
    for var_d_id in 1 .. 10 loop
      loop
        select min(no_o_id) into var_o_id
          from bmsql_new_order
          where no_w_id = in_w_id and no_d_id = var_d_id;
        exit when var_o_id is null;
        delete from bmsql_new_order
          where no_w_id = in_w_id and no_d_id = var_d_id and no_o_id = var_o_id;
        exit when sql%rowcount = 1;
      end loop;

      if var_o_id is null then
        out_dskipped := out_dskipped + 1;
      else
        update bmsql_oorder
          set o_carrier_id = in_o_carrier_id
          where o_w_id = in_w_id and o_d_id = var_d_id and o_id = var_o_id
          returning o_c_id into var_c_id;
        if sql%rowcount = 0 then
          raise_application_error(-20002, 'Order ' || var_o_id || ' does not exist');
        end if;
        update bmsql_order_line
          set ol_delivery_d = in_ol_delivery_d
          where ol_w_id = in_w_id and ol_d_id = var_d_id and ol_o_id = var_o_id;
        if sql%rowcount = 0 then
          raise_application_error(-20002, 'Order ' || var_o_id || ' has no lines');
        end if;
        select sum(ol_amount) into var_amount
          from bmsql_order_line
          where ol_w_id = in_w_id and ol_d_id = var_d_id and ol_o_id = var_o_id;
        update bmsql_customer
          set c_balance = c_balance + var_amount,
              c_delivery_cnt = c_delivery_cnt + 1
          where c_w_id = in_w_id and c_d_id = var_d_id and c_id = var_c_id
            and var_amount is not null;
        if sql%rowcount = 0 then
          raise_application_error(-20002, 'Customer ' || var_c_id || ' or its amount does not exist');
        end if;
      end if;
    end loop;
  end oracle_proc_delivery_bg;
end tpccc_oracle;
-- }

-- Room on each page for the new row versions that updates write next to the old ones.

alter table bmsql_oorder set (fillfactor = 80);
alter table bmsql_order_line set (fillfactor = 80);
alter table bmsql_warehouse set (fillfactor = 50);
alter table bmsql_district set (fillfactor = 79);
alter table bmsql_customer set (fillfactor = 90);
alter table bmsql_stock set (fillfactor = 95);

-- Statistics of the columns that foreign keys join, before the keys are checked. Without them the
-- planner sorts orders and customers by district alone and compares each order with 3,000 customers.

analyze bmsql_district (d_w_id, d_id);
analyze bmsql_customer (c_w_id, c_d_id, c_id);
analyze bmsql_history (h_c_w_id, h_c_d_id, h_c_id, h_w_id, h_d_id);
analyze bmsql_oorder (o_w_id, o_d_id, o_id, o_c_id);
analyze bmsql_new_order (no_w_id, no_d_id, no_o_id);
analyze bmsql_order_line (ol_w_id, ol_d_id, ol_o_id, ol_supply_w_id, ol_i_id);
analyze bmsql_stock (s_w_id, s_i_id);

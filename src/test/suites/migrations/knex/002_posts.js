exports.up = async (knex) => { await knex.schema.createTable("posts", (t) => { t.bigIncrements("id"); t.integer("user_id").references("users.id").onDelete("CASCADE"); t.jsonb("data"); });
 await knex.schema.alterTable("users", (t) => { t.timestamp("seen").defaultTo(knex.fn.now()); t.string("email", 100).alter(); }); };
exports.down = async (knex) => { await knex.schema.alterTable("users", (t) => t.dropColumn("seen")); await knex.schema.dropTable("posts"); };

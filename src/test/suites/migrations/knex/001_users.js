exports.up = async (knex) => { await knex.schema.createTable("users", (t) => { t.increments(); t.string("email").unique(); t.timestamps(true, true); t.uuid("u").defaultTo(knex.raw("gen_random_uuid()")); t.enu("role", ["a","b"]); });
 await knex("users").insert([{ email: "a" }, { email: "b" }]); };
exports.down = (knex) => knex.schema.dropTable("users");

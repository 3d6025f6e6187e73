import { defineConfig } from "prisma/config";
import { PrismaPg } from "@prisma/adapter-pg";
import Result from "pg/lib/result.js";

// The adapter does not read the types "char", name and name[], which the schema engine asks the catalogs for.
const TEXTS = new Map([[18, 25], [19, 25], [1003, 1009]]);
const addFields = Result.prototype.addFields;
Result.prototype.addFields = function (fields) {
  for (const field of fields) field.dataTypeID = TEXTS.get(field.dataTypeID) ?? field.dataTypeID;
  return addFields.call(this, fields);
};
export default defineConfig({
  schema: "schema.prisma",
  experimental: { adapter: true },
  engine: "js",
  adapter: async () => new PrismaPg({ connectionString: process.env.DATABASE_URL, options: "-c search_path=prisma" }, { schema: "prisma" }),
});

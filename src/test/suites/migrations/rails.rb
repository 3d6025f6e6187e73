# ActiveRecord's migrations up, down and up over a URL, and models with generated values.
require "active_record"
ActiveRecord::Base.establish_connection(ARGV[0])
migrations = ActiveRecord::MigrationContext.new(ARGV[1], ActiveRecord::SchemaMigration)
class Shelf < ActiveRecord::Base
  has_many :volumes
end
class Volume < ActiveRecord::Base
  belongs_to :shelf
end
2.times { migrations.migrate }
migrations.rollback(1)
migrations.migrate
migrations.down(0)
raise "tables left" if Shelf.table_exists?
migrations.migrate
raise "pending" if migrations.needs_migration?
ActiveRecord::Base.connection.schema_cache.clear!
[Shelf, Volume].each(&:reset_column_information)
Shelf.transaction do
  shelf = Shelf.create!(name: "first", more: { a: 1 })
  3.times { |i| shelf.volumes.create!(title: "volume #{i}") }
end
Shelf.insert_all([{ name: "second", created_at: Time.now, updated_at: Time.now }])
Shelf.find_by!(name: "first").touch
raise "counts" unless Shelf.joins(:volumes).group(:name).count == { "first" => 3 }
Shelf.find_by!(name: "first").destroy
raise "rows left" unless Volume.count.zero?

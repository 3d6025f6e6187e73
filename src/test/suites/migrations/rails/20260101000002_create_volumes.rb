class CreateVolumes < ActiveRecord::Migration[6.1]
  def change
    create_table :volumes do |t|
      t.references :shelf, foreign_key: { on_delete: :cascade }
      t.string :title
    end
    add_column :shelves, :seen, :datetime, default: -> { "now()" }
    change_column_null :volumes, :title, false, "none"
    rename_column :shelves, :extra, :more
  end
end

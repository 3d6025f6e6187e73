class CreateShelves < ActiveRecord::Migration[6.1]
  def change
    create_table :shelves do |t|
      t.string :name, null: false, index: { unique: true }
      t.jsonb :extra, default: {}
      t.timestamps
    end
  end
end

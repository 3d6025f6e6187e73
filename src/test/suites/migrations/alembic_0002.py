"""second"""
revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None
from alembic import op
import sqlalchemy as sa

def upgrade():
    op.add_column("account", sa.Column("updated", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False))
    op.create_index("account_name", "account", ["name", "updated"])
    op.alter_column("account", "name", type_=sa.String(80))
    op.create_table("entry", sa.Column("id", sa.BigInteger, sa.Identity(always=True), primary_key=True), sa.Column("account", sa.Integer, sa.ForeignKey("account.id", ondelete="CASCADE")))
    op.execute("insert into entry (account) select id from account")

def downgrade():
    op.drop_table("entry")
    op.alter_column("account", "name", type_=sa.String(50))
    op.drop_index("account_name")
    op.drop_column("account", "updated")

-- Wrong passwords are counted for each client. A pause under way stays that of clients which never opened the wallet.
-- AlterTable
ALTER TABLE "wallet" DROP COLUMN "password_failures",
ADD COLUMN     "password_clients" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "wallet" ADD COLUMN "fingerprint" BYTEA;

import { Module } from '@nestjs/common';
import { WalletAddressesController } from './wallet-addresses.controller.js';
import { WalletPaymentsController } from './wallet-payments.controller.js';
import { WalletsController } from './wallets.controller.js';

@Module({ controllers: [WalletsController, WalletAddressesController, WalletPaymentsController] })
export class WalletsModule {}

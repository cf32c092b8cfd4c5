import { Module } from '@nestjs/common';
import { AddressesController } from './addresses.controller.js';
import { UtxoPages } from './utxo-pages.js';

@Module({ controllers: [AddressesController], providers: [UtxoPages] })
export class AddressesModule {}

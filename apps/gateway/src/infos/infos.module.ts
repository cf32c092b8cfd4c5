import { Module } from '@nestjs/common';
import { HashRatesController } from './hash-rates.controller.js';
import { InfosController } from './infos.controller.js';
import { PeerBook } from './peer-book.js';
import { PeersController } from './peers.controller.js';

@Module({ controllers: [InfosController, PeersController, HashRatesController], providers: [PeerBook] })
export class InfosModule {}

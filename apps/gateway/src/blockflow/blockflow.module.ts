import { Module } from '@nestjs/common';
import { BlockflowController } from './blockflow.controller.js';
import { IntervalBlocks } from './interval-blocks.js';

@Module({ controllers: [BlockflowController], providers: [IntervalBlocks] })
export class BlockflowModule {}

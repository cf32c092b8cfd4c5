import { Module } from '@nestjs/common';
import { BlockflowController } from './blockflow.controller.js';

@Module({ controllers: [BlockflowController] })
export class BlockflowModule {}

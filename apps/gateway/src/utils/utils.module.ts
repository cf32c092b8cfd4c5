import { Module } from '@nestjs/common';
import { UtilsController } from './utils.controller.js';

@Module({ controllers: [UtilsController] })
export class UtilsModule {}

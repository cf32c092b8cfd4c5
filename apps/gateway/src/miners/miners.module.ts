import { Module } from '@nestjs/common';
import { MinersController } from './miners.controller.js';

@Module({ controllers: [MinersController] })
export class MinersModule {}

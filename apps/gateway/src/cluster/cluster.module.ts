import { Module } from '@nestjs/common';
import { ClusterController } from './cluster.controller.js';
import { ClusterViews } from './cluster-view.js';

@Module({ controllers: [ClusterController], providers: [ClusterViews] })
export class ClusterModule {}

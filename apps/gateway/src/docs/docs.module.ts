import { Module } from '@nestjs/common';
import { ApiDescription } from './api-description.js';
import { DocsController, PlacesController } from './docs.controller.js';
import { GatewayDocs } from './gateway-docs.js';

/** Needs injected `Clock` and `apiDescription`. */
@Module({ controllers: [PlacesController, DocsController], providers: [GatewayDocs, ApiDescription] })
export class DocsModule {}

import { Module } from '@nestjs/common';
import { ApiDescription } from './api-description.js';
import { DocsController, PlacesController } from './docs.controller.js';
import { DocsFiles } from './docs-files.js';

/** Needs injected `Clock` and `apiDescription`. */
@Module({ controllers: [PlacesController, DocsController], providers: [DocsFiles, ApiDescription] })
export class DocsModule {}

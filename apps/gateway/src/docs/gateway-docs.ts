import { Injectable } from '@nestjs/common';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocsFiles, docsFileNames, placesOfNode } from '@shardnode/http/docs';

import { ApiSettings } from '../settings/api-settings.js';

/** The same folder from `src` and from `dist`: the build copies nothing. */
const pageFolder = fileURLToPath(new URL('../../src/docs/page/', import.meta.url));

const files = {
  'guide.html': join(pageFolder, 'guide.html'),
  'guide.js': join(pageFolder, 'guide.js'),
  'exchange.md': fileURLToPath(new URL('../../../../docs/exchange.md', import.meta.url)),
  'errors.md': fileURLToPath(new URL('../../../../docs/errors.md', import.meta.url)),
};

/** Below `/docs/`, beside the pages. */
export const fileNames: readonly string[] = [...docsFileNames, 'guide.js', 'exchange.md', 'errors.md'];

/** The documentation of the gateway: its operations and its guides. */
@Injectable()
export class GatewayDocs extends DocsFiles<keyof typeof files> {
  constructor({ explorerUrl }: ApiSettings) {
    super(
      {
        title: 'Shardnode API',
        here: 'nodeApi',
        places: placesOfNode(explorerUrl),
        links: [
          ['exchange', 'Exchange guide'],
          ['errors', 'Errors'],
          ['openapi.json', 'OpenAPI'],
        ],
        searches: 'balance, build, /wallets …',
      },
      files,
    );
  }
}

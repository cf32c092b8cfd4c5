import { type FastifyInstance } from 'fastify';
import { type Brand } from '@shardnode/http';

/** A path with the brand's name of the coin: `/tokens/holders/coin`, `/infos/supply/total-coin` (protocol 08 §11). */
export const brandedPath = (path: string, { coinName }: Brand): string =>
  path.replace(/\bcoin$/, coinName.toLowerCase());

/** Serves paths that end with the name of the coin under the brand's name, too (protocol 08 §12.3). */
export const addBrandedPaths = (instance: FastifyInstance, brand: Brand): void => {
  instance.addHook('onRoute', ({ method, url, handler, config }) => {
    const alias = brandedPath(url, brand);
    // The server adds HEAD to each GET by itself.
    if (alias !== url && method !== 'HEAD') instance.route({ method, url: alias, handler, ...(config && { config }) });
  });
};

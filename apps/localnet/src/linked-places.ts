import { httpUrl } from '@shardnode/core/hosts';

/** Settings that say where the services are. */
interface PlaceSettings {
  readonly HOST: string;
  readonly PORT: number;
  readonly EXPLORER: 'on' | 'off';
  readonly EXPLORER_PORT: number;
  readonly EXPLORER_URL: string | undefined;
  readonly NODE_API_URL: string | undefined;
}

const addressOf = (host: string, port: number): string | undefined => (port === 0 ? undefined : httpUrl(host, port));

/** Where browsers find the explorer and the API, whose pages link to each other; undefined: a port is not known before. */
export const linkedPlaces = (settings: PlaceSettings) => {
  const { HOST: host, PORT: port, EXPLORER: explorer, EXPLORER_PORT: explorerPort } = settings;
  const explorerUrl = settings.EXPLORER_URL ?? addressOf(host, explorerPort);
  return {
    explorerUrl: explorer === 'on' ? explorerUrl : undefined,
    nodeApiUrl: settings.NODE_API_URL ?? addressOf(host, port),
  };
};

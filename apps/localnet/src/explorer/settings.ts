import { z } from 'zod';
import { choiceSetting, flagSetting, hostSetting, portSetting, textSetting } from '@shardnode/core/configuration';
import { logLevels } from '@shardnode/core/observability';
import { hostNamesSetting } from '@shardnode/core/process';
import { brandSettings } from '@shardnode/http/brand-settings';
import { pageAddressSetting } from '@shardnode/http/page-address-setting';
import { networkSettings } from '@shardnode/messages/network';

/** Variables that the network gives to the process of its explorer; nobody else sets them. */
export const embeddedExplorerSettings = z.object({
  HOST: hostSetting({ description: 'Interface of the API.', default: '127.0.0.1', portSetting: 'EXPLORER_PORT' }),
  EXPLORER_PORT: portSetting({ description: 'Port of the API.', default: 0 }),
  HOST_NAMES: hostNamesSetting,
  INDEX_DIR: textSetting({ description: 'Folder of the index; created if absent.' }),
  HAS_DEVELOPMENT_TOOLS: flagSetting({ description: 'Whether the page has test payments and calls.', default: false }),
  LOG_LEVEL: choiceSetting(logLevels, { description: 'Least severe level of the log.', default: 'warn' }),
  NODE_API_URL: pageAddressSetting('Where browsers find the API of the node.'),
  ...brandSettings,
  ...networkSettings,
});

export type EmbeddedExplorerSettings = z.output<typeof embeddedExplorerSettings>;

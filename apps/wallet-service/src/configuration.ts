import { z } from 'zod';
import { portSetting, textSetting, wholeNumberSetting } from '@shardnode/core/configuration';

/** Every variable of the wallet-service. */
export const walletServiceSettings = z.object({
  HEALTH_HOST: textSetting({ description: 'Interface of health and metrics.', default: '127.0.0.1' }),
  HEALTH_PORT: portSetting({ description: 'Port of health and metrics.', default: 12984 }),
  WALLET_LOCK_TIMEOUT: wholeNumberSetting({
    description: 'Seconds after the last request on a wallet until it locks itself.',
    default: 600,
    min: 1,
    max: 86_400,
  }),
});

import {
  count,
  destination,
  flag,
  gasFormula,
  group,
  int32,
  int64Text,
  list,
  object,
  script,
  text,
  uint256Text,
  unminable,
} from './fields.js';
import { messageSchema } from './message-schema.js';

/** However long: the wallet-service has an answer of its own for names that no wallet can have (protocol 07 §3.1). */
const wallet = { walletName: text };

/** The payloads of requests to the wallet-service. Problems name the field only: many of these are secrets. */
export const walletPayloads = {
  nothing: messageSchema(() => object({})),
  create: messageSchema(() =>
    object({
      ...wallet,
      password: text,
      passphrase: text.optional(),
      mnemonicSize: int32.optional(),
      isMiner: flag.optional(),
    }),
  ),
  restore: messageSchema(() =>
    object({
      walletName: text.optional(),
      password: text,
      mnemonic: text,
      passphrase: text.optional(),
      isMiner: flag.optional(),
    }),
  ),
  wallet: messageSchema(() => object(wallet)),
  unlock: messageSchema(() => object({ ...wallet, password: text, passphrase: text.optional() })),
  password: messageSchema(() => object({ ...wallet, password: text })),
  address: messageSchema(() => object({ ...wallet, address: text })),
  sign: messageSchema(() => object({ ...wallet, data: text })),
  transfer: messageSchema(() =>
    object({
      ...wallet,
      destinations: list(destination),
      gasAmount: count.optional(),
      gasPrice: uint256Text.optional(),
      gasFormula,
      unminable: unminable.optional(),
    }),
  ),
  sweep: messageSchema(() =>
    object({
      ...wallet,
      destination: script,
      lockTime: int64Text.optional(),
      gasAmount: count.optional(),
      gasPrice: uint256Text.optional(),
      unminable: unminable.optional(),
    }),
  ),
  deriveNext: messageSchema((groups) => object({ ...wallet, group: group(groups).optional() })),
} as const;

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
import { textLengths } from './text-lengths.js';

/** Invalid wallet names are permitted here: the wallet-service has its own error for them (protocol 07 §3.1). */
const walletName = text(2 * textLengths.walletName);
/** Up to 256 code points of a password, a passphrase or a mnemonic. */
const secret = text(2 * textLengths.secret);
const wallet = { walletName };

/** Payload schemas of requests to the wallet-service. Problems name only the field: many values are secrets. */
export const walletPayloads = {
  nothing: messageSchema(() => object({})),
  create: messageSchema(() =>
    object({
      ...wallet,
      password: secret,
      passphrase: secret.optional(),
      mnemonicSize: int32.optional(),
      isMiner: flag.optional(),
    }),
  ),
  restore: messageSchema(() =>
    object({
      walletName: walletName.optional(),
      password: secret,
      mnemonic: secret,
      passphrase: secret.optional(),
      isMiner: flag.optional(),
    }),
  ),
  wallet: messageSchema(() => object(wallet)),
  unlock: messageSchema(() => object({ ...wallet, password: secret, passphrase: secret.optional() })),
  password: messageSchema(() => object({ ...wallet, password: secret })),
  address: messageSchema(() => object({ ...wallet, address: text(textLengths.address) })),
  sign: messageSchema(() => object({ ...wallet, data: text(1_024) })),
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

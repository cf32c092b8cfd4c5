const fast = ['hash-wasm', 'hash-wasm/dist/blake2b.umd.min.js', 'secp256k1/bindings.js', 'tiny-secp256k1'];

const isFast = (specifier, parent = '') =>
  fast.includes(specifier) || (specifier === 'node:crypto' && parent.includes('/ed25519-engine-openssl'));

export const resolve = async (specifier, context, next) => {
  if (isFast(specifier, context.parentURL)) throw new Error(`${specifier} is not to be had here`);
  return next(specifier, context);
};

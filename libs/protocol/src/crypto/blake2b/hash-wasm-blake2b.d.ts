/** One hash of the package, which comes without types of its own. */
declare module 'hash-wasm/dist/blake2b.umd.min.js' {
  import { type createBLAKE2b } from 'hash-wasm';

  const hashWasm: { readonly createBLAKE2b: typeof createBLAKE2b };
  export = hashWasm;
}

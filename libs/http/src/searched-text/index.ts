export * from './look.js';
export { type PlaceOnChain, placeOnChain } from './place-on-chain.js';
export * from './searched-text.js';

export * from './model.js';
export * from './unlock-script.js';
export * from './output-codecs.js';
export { transactionCodec, transactionTemplateCodec, unsignedTransactionCodec } from './transaction-codecs.js';
export * from './identity.js';
export * from './chain-index.js';

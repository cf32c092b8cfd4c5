export { engineOptions } from './engine-options.js';
export { firstWords, type FirstWordsOptions } from './first-words.js';
export * from './process-settings.js';
export * from './run-main.js';
export * from './server-answers.js';
export * from './start-failure.js';
export * from './stop-request.js';
export { oldestNode, unsupportedNodeText, requireSupportedNode } from './supported-node.js';
export * from './wait-for-server.js';

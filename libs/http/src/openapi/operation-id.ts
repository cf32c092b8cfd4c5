/** The id of an operation in a description, by its method and path: `getBlockflowBlocksBlockHash`. */
export const operationId = (method: string, path: string): string =>
  `${method}${path.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_all, next?: string) => next?.toUpperCase() ?? '')}`;

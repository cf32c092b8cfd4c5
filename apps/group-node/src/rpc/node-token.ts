/** The injection token of the running group-node. */
export const NODE = Symbol('group-node');

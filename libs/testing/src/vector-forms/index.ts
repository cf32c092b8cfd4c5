/** The forms in which the vector files write decoded objects. */
export * from './transaction-forms.js';

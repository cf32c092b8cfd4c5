/** Forms of decoded objects in the vector files. */
export * from './transaction-forms.js';

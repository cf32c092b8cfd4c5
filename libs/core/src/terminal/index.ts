export { countText } from './count-text.js';
export { numberColumns, tableLines } from './table.js';

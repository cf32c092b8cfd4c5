import './run.js';

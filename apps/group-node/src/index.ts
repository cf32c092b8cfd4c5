export { create, type GroupNodeConfig, type GroupNodePorts } from './service.js';

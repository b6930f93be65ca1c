// For pages of other servers: load this file as a module, and write <maidan-table game="game_…"></maidan-table>.

import { MaidanTable } from './table/table.js';

if (!customElements.get('maidan-table')) customElements.define('maidan-table', MaidanTable);

export { MaidanTable };

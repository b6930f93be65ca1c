// The few globals that the program uses, so that it needs nothing but the compiler.
declare const process: { argv: [string, string, string] };
declare const console: { log(...things: unknown[]): void };
declare function fetch(url: string, init: object): Promise<{ ok: boolean; json(): Promise<unknown> }>;

/**
 * Takes from a worker everything by which code could reach the network, storage or other pages. The author's code never
 * sees the worker's globals (it lives inside QuickJS); this is the second wall, should the first one have a hole.
 * Names of WorkerGlobalScope; those that a browser refuses to delete are overwritten.
 */
const reach = [
    'fetch', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'WebTransport', 'EventSource', 'importScripts', 'indexedDB', 'caches', 'cookieStore',
    'BroadcastChannel', 'MessageChannel', 'Worker', 'SharedWorker', 'RTCPeerConnection', 'Notification', 'FileReaderSync', 'navigator', 'open',
];

export function hardenWorker(scope: object): void {
    for (let owner: object | null = scope; owner !== null && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
        for (const name of reach) {
            const own = Object.getOwnPropertyDescriptor(owner, name);
            if (own?.configurable === true) Reflect.deleteProperty(owner, name);
            else if (own?.writable === true) Reflect.set(owner, name, undefined);
        }
    }
}

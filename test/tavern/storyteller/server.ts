import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { recogniseAgent, type AgentKind } from './agent';
import { chatRequestSchema, promptText, roughTokens, textRequestSchema, type ChatRequest } from './request';

/** How one request is answered. Everything but the text has a default. */
export interface Answer {
    text?: string;
    /** Sent as `reasoning_content`, before the text. */
    reasoning?: string;
    /** An HTTP error instead of an answer. */
    status?: number;
    errorMessage?: string;
    /** Ms before anything is sent. */
    delayMs?: number;
    /** Characters of a streamed piece, and the ms between two. SillyTavern shows at most 30 pieces a second: below 60 ms a paused stream may show less than was sent. */
    pieceLength?: number;
    pieceMs?: number;
    /** After so many pieces the stream waits for `until`. */
    pauseAfter?: number;
    until?: Promise<unknown>;
    /** Never answers: the request stays open until the other side gives up. */
    hang?: boolean;
    /** Cuts the connection after so many pieces. */
    cutAfter?: number;
    /** Default `stop`; `length` = cut by the response limit. */
    finishReason?: string;
    /** The raw body of a non-streamed answer (malformed JSON, an HTML page …). */
    raw?: string;
}

/** One request as it came in, and what became of it. */
export interface LoggedRequest {
    /** 1-based. */
    id: number;
    agent: AgentKind;
    /** It came to `/completions`: the whole prompt is one text. */
    textCompletion: boolean;
    body: ChatRequest;
    /** The body byte for byte. */
    rawBody: string;
    headers: Record<string, string | string[] | undefined>;
    /** Ms since the epoch. */
    startedAt: number;
    firstByteAt: number | null;
    finishedAt: number | null;
    /** The other side went away before the answer was complete. */
    aborted: boolean;
    status: number | null;
    /** What was sent of the answer's text. */
    sent: string;
    promptTokens: number;
    completionTokens: number;
}

export type Answerer = (request: LoggedRequest) => Answer | string | Promise<Answer | string>;

/** A model server on 127.0.0.1; its whole API besides HTTP is this object. */
export interface ModelServer {
    /** Base URL, `…/v1`. */
    url: string;
    requests: LoggedRequest[];
    /** Requests that are neither finished nor aborted. */
    open(): LoggedRequest[];
    setAnswerer(answerer: Answerer): void;
    clearLog(): void;
    /** Ms between two pieces where an answer does not say; for slow demos. */
    pieceMs: number;
    close(): Promise<void>;
}

const wait = (ms: number): Promise<void> => (ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve());

async function readBody(request: IncomingMessage): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
    return Buffer.concat(parts).toString('utf8');
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function pieces(text: string, length: number): string[] {
    const characters = [...text];
    const out: string[] = [];
    for (let at = 0; at < characters.length; at += length) out.push(characters.slice(at, at + length).join(''));
    return out;
}

/** Sends an answer as a stream or as a whole, and keeps the log entry in step. */
async function send(entry: LoggedRequest, answer: Answer, response: ServerResponse, defaultPieceMs: number): Promise<void> {
    await wait(answer.delayMs ?? 0);
    if (entry.aborted) return;
    const usage = { prompt_tokens: entry.promptTokens, completion_tokens: 0, total_tokens: entry.promptTokens };
    const common = { id: `chatcmpl-${entry.id}`, created: Math.floor(entry.startedAt / 1000), model: entry.body.model ?? 'storyteller' };
    const text = answer.text ?? '';
    if (answer.hang) return;
    if (answer.status !== undefined && answer.status >= 400) {
        entry.status = answer.status;
        entry.firstByteAt = Date.now();
        sendJson(response, answer.status, { error: { message: answer.errorMessage ?? `scripted error ${answer.status}`, type: 'scripted_error', code: answer.status } });
        return;
    }
    entry.status = 200;
    if (answer.raw !== undefined) {
        entry.firstByteAt = Date.now();
        sendJson(response, 200, answer.raw);
        return;
    }
    const finish = answer.finishReason ?? 'stop';
    if (!entry.body.stream) {
        if (answer.until) await answer.until;
        if (entry.aborted) return;
        entry.firstByteAt = Date.now();
        entry.sent = text;
        entry.completionTokens = usage.completion_tokens = roughTokens(text);
        usage.total_tokens += usage.completion_tokens;
        const message = { role: 'assistant', content: text, ...(answer.reasoning ? { reasoning_content: answer.reasoning } : {}) };
        if (entry.textCompletion) sendJson(response, 200, { ...common, object: 'text_completion', choices: [{ index: 0, text, finish_reason: finish }], usage });
        else sendJson(response, 200, { ...common, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage });
        return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', connection: 'keep-alive' });
    const event = (delta: Record<string, unknown>, finishReason: string | null, extra: Record<string, unknown> = {}): void => {
        if (entry.textCompletion) {
            response.write(`data: ${JSON.stringify({ ...common, object: 'text_completion', choices: [{ index: 0, text: delta.content ?? '', finish_reason: finishReason }], ...extra })}\n\n`);
            return;
        }
        response.write(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finishReason }], ...extra })}\n\n`);
    };
    event({ role: 'assistant', content: '' }, null);
    entry.firstByteAt = Date.now();
    const length = answer.pieceLength ?? 8;
    const between = answer.pieceMs ?? defaultPieceMs;
    let count = 0;
    for (const [field, body] of [['reasoning_content', answer.reasoning ?? ''], ['content', text]] as const) {
        for (const piece of pieces(body, length)) {
            if (answer.cutAfter !== undefined && count >= answer.cutAfter) {
                response.destroy();
                return;
            }
            if (answer.until && count === (answer.pauseAfter ?? 0)) await answer.until;
            if (entry.aborted) return;
            event({ [field]: piece }, null);
            if (field === 'content') entry.sent += piece;
            count += 1;
            await wait(between);
            if (entry.aborted) return;
        }
    }
    entry.completionTokens = usage.completion_tokens = roughTokens(entry.sent);
    usage.total_tokens += usage.completion_tokens;
    event({}, finish, { usage });
    response.write('data: [DONE]\n\n');
    response.end();
}

/** Starts an OpenAI-compatible server that answers as it is told. */
export async function startModelServer(answerer: Answerer, options: { port?: number; pieceMs?: number } = {}): Promise<ModelServer> {
    let answer = answerer;
    let nextId = 1;
    const sockets = new Set<Socket>();
    const requests: LoggedRequest[] = [];
    const state = { pieceMs: options.pieceMs ?? 0 };

    const complete = async (request: IncomingMessage, response: ServerResponse, textCompletion: boolean): Promise<void> => {
        const startedAt = Date.now();
        const rawBody = await readBody(request);
        const parsed = (textCompletion ? textRequestSchema : chatRequestSchema).safeParse(JSON.parse(rawBody));
        if (!parsed.success) {
            sendJson(response, 400, { error: { message: parsed.error.message, type: 'invalid_request_error' } });
            return;
        }
        const body = parsed.data;
        const entry: LoggedRequest = {
            id: nextId, agent: recogniseAgent(body), textCompletion, body, rawBody, headers: request.headers, startedAt,
            firstByteAt: null, finishedAt: null, aborted: false, status: null, sent: '', promptTokens: roughTokens(promptText(body)), completionTokens: 0,
        };
        nextId += 1;
        requests.push(entry);
        response.on('close', () => {
            entry.aborted = !response.writableFinished;
            entry.finishedAt = Date.now();
        });
        const given = await answer(entry);
        await send(entry, typeof given === 'string' ? { text: given } : given, response, state.pieceMs);
    };

    const server = createServer((request, response) => {
        const path = (request.url ?? '').split('?')[0]?.replace(/\/+$/, '') ?? '';
        if (request.method === 'GET' && path.endsWith('/models')) {
            sendJson(response, 200, { object: 'list', data: [{ id: 'storyteller', object: 'model', owned_by: 'narrative-agent' }] });
        } else if (request.method === 'POST' && path.endsWith('/completions')) {
            complete(request, response, !path.endsWith('/chat/completions')).catch((error: unknown) => {
                if (!response.headersSent) sendJson(response, 500, { error: { message: `storyteller: ${String(error)}`, type: 'server_error' } });
                else response.destroy();
            });
        } else {
            sendJson(response, 404, { error: { message: `no such path: ${path}`, type: 'invalid_request_error' } });
        }
    });
    server.on('connection', (socket) => {
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    return {
        url: `http://127.0.0.1:${port}/v1`,
        requests,
        open: () => requests.filter((entry) => entry.finishedAt === null),
        setAnswerer: (next) => {
            answer = next;
        },
        clearLog: () => {
            requests.length = 0;
        },
        get pieceMs() {
            return state.pieceMs;
        },
        set pieceMs(value) {
            state.pieceMs = value;
        },
        close: () => new Promise((resolve) => {
            for (const socket of sockets) socket.destroy();
            server.close(() => resolve());
        }),
    };
}

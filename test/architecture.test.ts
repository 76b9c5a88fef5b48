// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/**
 * How the house is built: which room may use which, and what no room may do. The rules are about the code as written, so
 * they are read from its syntax: comments and strings name nothing.
 */
interface SourceFile {
    /** Path below src, with slashes. */
    path: string;
    /** The folder below src, or the file's own name at the ground floor. */
    room: string;
    text: string;
    syntax: ts.SourceFile;
    imports: { target: string; room: string; typeOnly: boolean }[];
}

const root = join(import.meta.dirname, '..', 'src');
const slashed = (path: string): string => path.split(sep).join('/');
const withoutEnding = (path: string): string => path.replace(/\.tsx?$/, '');
const roomOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : withoutEnding(path));

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
    visit(node);
    ts.forEachChild(node, (child) => walk(child, visit));
}

function importsOf(path: string, syntax: ts.SourceFile): SourceFile['imports'] {
    const found: SourceFile['imports'] = [];
    const add = (specifier: ts.Expression | undefined, typeOnly: boolean): void => {
        if (!specifier || !ts.isStringLiteralLike(specifier) || !specifier.text.startsWith('.')) return;
        const target = slashed(relative(root, join(root, dirname(path), specifier.text.replace(/\?.*$/, ''))));
        found.push({ target: withoutEnding(target), room: roomOf(target), typeOnly });
    };
    walk(syntax, (node) => {
        if (ts.isImportDeclaration(node)) {
            const clause = node.importClause;
            const named = clause?.namedBindings && ts.isNamedImports(clause.namedBindings) ? clause.namedBindings.elements : [];
            const onlyTypes = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword || (named.length > 0 && !clause?.name && named.every((element) => element.isTypeOnly));
            add(node.moduleSpecifier, onlyTypes);
        } else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
        else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false);
        else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal as ts.Expression, true);
    });
    return found;
}

const files: SourceFile[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map(slashed)
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => {
        const text = readFileSync(join(root, path), 'utf8');
        const syntax = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
        return { path, room: roomOf(path), text, syntax, imports: importsOf(path, syntax) };
    });

/** Rooms that touch the world; all the others are the core. */
const outer = new Set(['host', 'ui', 'sandbox', 'index']);
const core = files.filter((file) => !outer.has(file.room));

/** From the ground up. A room's code uses rooms below it; types may be named in either direction, because they are the contracts between rooms. */
const floors = [
    ['notice', 'config', 'read-config', 'ports', 'steps', 'turn-record'],
    ['text'], ['state'], ['agents'], ['prompt'], ['worldbook'], ['tools'], ['mvu'], ['pipeline'], ['app'], ['sandbox', 'host', 'ui'], ['index'],
];
const floorOf = (room: string): number => floors.findIndex((rooms) => rooms.includes(room));

function offences(of: readonly SourceFile[], wrong: (file: SourceFile) => string[]): string[] {
    return of.flatMap((file) => wrong(file).map((each) => `${file.path}: ${each}`));
}
const importing = (of: readonly SourceFile[], rooms: readonly string[]): string[] => offences(of, (file) => file.imports.filter(({ room }) => rooms.includes(room)).map(({ target }) => target));
const inRoom = (room: string): SourceFile[] => files.filter((file) => file.room === room);

it('reads the house', () => {
    expect(files.length).toBeGreaterThan(200);
    expect(files.flatMap((file) => file.imports).length).toBeGreaterThan(500);
    expect([...new Set(files.map((file) => file.room))].filter((room) => floorOf(room) < 0)).toEqual([]);
    // Every relative import leads to a file of the house, or is data beside it.
    const known = new Set(files.map((file) => withoutEnding(file.path)));
    expect(offences(files, (file) => file.imports.filter(({ target }) => !known.has(target) && !known.has(`${target}/index`) && !/\.(json|html)$/.test(target)).map(({ target }) => target))).toEqual([]);
});

describe('rooms', () => {
    it('the core knows no host, no UI, no sandbox', () => expect(importing(core, ['host', 'ui', 'sandbox', 'index'])).toEqual([]));
    it('the UI gets what it needs through its port, never from the host', () => expect(importing(inRoom('ui'), ['host', 'sandbox', 'index'])).toEqual([]));
    it('the host does not know the UI', () => expect(importing(inRoom('host'), ['ui', 'sandbox', 'index'])).toEqual([]));
    it('the sandbox knows nothing but the ports', () => {
        expect(offences(inRoom('sandbox'), (file) => file.imports.filter(({ room }) => room !== 'sandbox' && room !== 'ports').map(({ target }) => target))).toEqual([]);
    });
    it('code uses only floors below', () => {
        expect(offences(core, (file) => file.imports
            .filter(({ room, typeOnly }) => !typeOnly && room !== file.room && floorOf(room) >= floorOf(file.room) && floorOf(file.room) > 0)
            .map(({ target }) => target))).toEqual([]);
    });
    it('no files run in a circle', () => {
        const graph = new Map(files.map((file) => [withoutEnding(file.path), file.imports.filter(({ typeOnly }) => !typeOnly).map(({ target }) => target)]));
        const done = new Set<string>();
        const circles: string[] = [];
        const visit = (path: string, trail: string[]): void => {
            if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
            if (done.has(path) || trail.includes(path)) return;
            for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
            done.add(path);
        };
        for (const path of graph.keys()) visit(path, []);
        expect(circles).toEqual([]);
    });
    it('no room is a drawer for odds and ends', () => {
        expect(files.filter((file) => /(^|\/)(utils?|helpers?|misc|lib)(\/|\.)/i.test(file.path)).map((file) => file.path)).toEqual([]);
    });
});

/** Names of the world that a file uses without having them from anywhere: no property names, nothing it declares itself. */
function freeNames(file: SourceFile): Set<string> {
    const used = new Set<string>();
    const declared = new Set<string>();
    walk(file.syntax, (node) => {
        if (!ts.isIdentifier(node)) return;
        const { parent } = node;
        const named = (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isBindingElement(parent) || ts.isFunctionDeclaration(parent) || ts.isImportSpecifier(parent)) && parent.name === node;
        if (named) declared.add(node.text);
        const isPropertyName = (ts.isPropertyAccessExpression(parent) && parent.name === node) || (ts.isPropertyAssignment(parent) && parent.name === node)
            || ts.isPropertySignature(parent) || ts.isMethodSignature(parent) || ts.isMethodDeclaration(parent) || ts.isQualifiedName(parent) || ts.isJsxAttribute(parent)
            || (ts.isBindingElement(parent) && parent.propertyName === node);
        if (!named && !isPropertyName) used.add(node.text);
    });
    return new Set([...used].filter((name) => !declared.has(name)));
}

describe('the core is pure', () => {
    it('it names nothing of the host and the page', () => {
        const world = ['SillyTavern', 'window', 'document', 'globalThis', 'fetch', 'XMLHttpRequest', 'localStorage', 'sessionStorage', 'indexedDB', 'console', 'navigator', 'toastr', 'jQuery', '$', 'setTimeout', 'setInterval', 'performance', 'crypto'];
        expect(offences(core, (file) => {
            const free = freeNames(file);
            return world.filter((name) => free.has(name));
        })).toEqual([]);
    });
    it('it has no clock and no dice of its own', () => {
        expect(offences(core, (file) => {
            const found: string[] = [];
            walk(file.syntax, (node) => {
                if (ts.isPropertyAccessExpression(node) && /^(Date\.now|Math\.random)$/.test(node.getText(file.syntax))) found.push(node.getText(file.syntax));
                if (ts.isNewExpression(node) && node.expression.getText(file.syntax) === 'Date' && !node.arguments?.length) found.push('new Date()');
            });
            return found;
        })).toEqual([]);
    });
    it('only the rooms with hands touch the page\'s storage', () => {
        expect(offences(inRoom('ui'), (file) => [...freeNames(file)].filter((name) => ['localStorage', 'sessionStorage', 'fetch', 'SillyTavern'].includes(name)))).toEqual([]);
    });
});

describe('every file', () => {
    it('is typed: no any, no "surely not null", no silenced compiler', () => {
        expect(offences(files, (file) => {
            const found: string[] = [];
            walk(file.syntax, (node) => {
                if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`any in "${node.parent.getText(file.syntax).slice(0, 60)}"`);
                if (ts.isNonNullExpression(node)) found.push(node.getText(file.syntax).slice(0, 60));
            });
            if (/@ts-(ignore|nocheck|expect-error)|eslint-disable/.test(file.text)) found.push('a silenced checker');
            return found;
        })).toEqual([]);
    });
    it('swallows no error unseen', () => {
        expect(offences(files, (file) => {
            const found: string[] = [];
            walk(file.syntax, (node) => {
                if (ts.isCatchClause(node) && node.block.statements.length === 0) found.push('an empty catch');
            });
            return found;
        })).toEqual([]);
    });
    it('is short enough to be read at a sitting', () => {
        expect(files.filter((file) => file.text.split('\n').length > 300).map((file) => `${file.path}: ${file.text.split('\n').length} lines`)).toEqual([]);
    });
});

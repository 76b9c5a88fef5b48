import type { Notice } from '../notice';
import type { PatchResult } from '../turn-record';
import type { BookOrigin } from '../worldbook/entry';
import type { InitvarEntry } from './initvar';
import type { VariableLookup } from './macros';
import type { Patch } from './patch';
import type { VariableTree } from './tree';

/** Who keeps the variables: MVU, our embedded store, or nobody. */
export type VariableKeeper = 'mvu' | 'embedded' | 'none';

/** Variables as one message of the chat holds them. */
export interface ReadVariables {
    /** Position in the chat. */
    index: number;
    tree: VariableTree;
    /** In MVU's shape; a text where mvu_zod keeps its own. */
    schema: unknown;
}

/** An [initvar] entry with the place it came from; MVU cannot see every place. */
export interface LocatedInitvarEntry extends InitvarEntry {
    book: string;
    origin: BookOrigin;
}

export interface InitialOutcome {
    /** `present` = there already are values; `mvu` = MVU has set them up; `written` = done here; `nothing` = no readable entry or no message. */
    did: 'present' | 'mvu' | 'written' | 'nothing';
    sources: { entry: string; tree: VariableTree }[];
    notices: Notice[];
}

export interface UpdateOutcome {
    /** One per operation, in order. */
    results: PatchResult[];
    /** The update block that belongs into the message's text, '' for no change. */
    block: string;
    /** The tree after the turn; null where nothing was written. */
    tree: VariableTree | null;
    /** Set where the chat, the message or the swipe changed meanwhile, or there is nothing to update. */
    dropped?: Notice;
}

/** The variables of the open chat, whoever keeps them. */
export interface VariablesPort {
    keeper(): VariableKeeper;
    /** Values of the nearest message at an index below `before` (default: the whole chat) whose swipe on display has any. */
    read(before?: number): ReadVariables | null;
    /** Sets up initial values where nobody has. Call once a turn before the prompt is built; it is cheap when there are values. */
    initialise(entries: readonly LocatedInitvarEntry[]): Promise<InitialOutcome>;
    /**
     * Applies a reply's operations on the values of the nearest earlier message and writes them to that reply and swipe; call
     * it with an empty list too, so that commands a model put into its prose are undone. Does not save the chat and does not
     * touch the text: whoever commits the reply appends `block` and saves. Where MVU's own second model is in charge it only
     * waits for it and gives back the block MVU appended.
     */
    update(index: number, swipe: number, patches: readonly Patch[]): Promise<UpdateOutcome>;
    /** Lets cards see a reply before it is written (MVU: mag_before_message_update); gives back the text to write. */
    announce(index: number, text: string): Promise<string>;
    /** The user's own edit of a value, at the message that holds the latest values. Saves; `block` may be added to its text. */
    edit(path: string, value: unknown): Promise<UpdateOutcome & { index: number }>;
    /** MVU asks a second model by itself after each reply. */
    extraModelMode(): boolean;
    /** Tables for Tavern Helper's macros; `before` as in read. */
    lookup(before?: number): VariableLookup;
}

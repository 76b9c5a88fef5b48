import { ChangesBlock } from './changes-block';
import { DataBlock } from './data-block';
import { EventLog } from './event-log';
import { FlagsBlock } from './flags-block';
import { InventoryBlock } from './inventory-block';
import { QuestsBlock } from './quests-block';
import { RelationshipsBlock } from './relationships-block';
import { SceneHead } from './scene-head';
import { SummariesBlock } from './summaries-block';
import { Timeline } from './timeline';

/** The game state as the chat makes it now, what the turn changed in it and why, and how the story got there. */
export function StateTab() {
    return (
        <>
            <SceneHead />
            <ChangesBlock />
            <InventoryBlock />
            <RelationshipsBlock />
            <QuestsBlock />
            <FlagsBlock />
            <EventLog />
            <SummariesBlock />
            <Timeline />
            <DataBlock />
        </>
    );
}

/** The text code of a setting; the agents share theirs (`agents.writing.timeout` → `setting.agent.timeout`). */
export function shared(path: string): string {
    const agent = /^agents\.\w+\.(connectionProfile|maxTokens|temperature|timeout|retries|extraInstructions)$/.exec(path);
    return agent ? `setting.agent.${agent[1]}` : `setting.${path}`;
}

import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSSyncVariant, type QuickJSWASMModule } from 'quickjs-emscripten-core';
import { sandboxLimits } from './limits';

const pageSize = 65_536;
/** Pages the engine's build asks for at least. */
const initialPages = 256;

/**
 * Loads QuickJS into a memory that cannot grow past the cap. The engine's own `setMemoryLimit` looks at single allocations
 * only in this build (it cannot tell how large an allocated block is): many small ones took 2 GB under a limit of 16 MB.
 */
export function loadEngine(variant: QuickJSSyncVariant): Promise<QuickJSWASMModule> {
    const wasmMemory = new WebAssembly.Memory({ initial: initialPages, maximum: sandboxLimits.memory / pageSize });
    return newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }));
}

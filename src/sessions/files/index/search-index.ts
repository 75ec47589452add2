/** One process's full-text index: segments on the disk, and newer ones in memory. (docs/design/sessions.md, "The index") */
import type { LogFiles } from "../log-files.ts";
import { type PurgedNow, takenBy } from "../purged-list.ts";
import { isBusy, unlessBusy } from "../unless-busy.ts";
import { buildSegment } from "./build-segment.ts";
import {
  bytesOf,
  filesNow,
  gapsIn,
  overlap,
  type Piece,
  PieceCheck,
  takeLast,
} from "./coverage.ts";
import { DiskSegments } from "./disk-segments.ts";
import { mergeSegments, suspectsIn } from "./merge-segments.ts";
import { bytesInMemory } from "./pages.ts";
import { Segment } from "./segment.ts";
import { indexFolder, removeSegment, updateIndex } from "./updater.ts";
import { type Covering, View } from "./view.ts";
import type { WrittenSegment } from "./write-segment.ts";

/** Of events with their long texts, what a process keeps in memory at most, and from how much on it goes to the disk. */
const MOST_IN_MEMORY = 1024 * 1024;
const WORTH_WRITING = 256 * 1024;
/** Segments in memory, before they become one. */
const MOST_SEGMENTS = 8;
const MEGABYTE = 1024 * 1024;
/** A search takes no longer than it has to. */
const EFFORT_OF_SEARCH = { stepBytes: 4 * MEGABYTE, mostMergedBytes: 8 * MEGABYTE };
const EFFORT_OF_UPDATE = { stepBytes: 8 * MEGABYTE, mostMergedBytes: 32 * MEGABYTE };

type Pending = PurgedNow["pending"];

/** The index at one moment. */
export type Indexed = Readonly<Awaited<ReturnType<SearchIndex["now"]>>>;

export class SearchIndex {
  readonly #files: LogFiles;
  readonly #disk: DiskSegments;
  readonly #check = new PieceCheck();
  #memory: readonly InMemory[] = [];
  #last:
    | { readonly covering: readonly Covering[]; readonly pending: Pending; readonly view: View }
    | undefined;

  constructor(files: LogFiles) {
    this.#files = files;
    this.#disk = new DiskSegments(indexFolder(files));
  }

  /** What can be searched: all that was appended before this call, but for a backlog that is large. @returns also the gaps, the newest day first. */
  async now() {
    const { pending } = await this.#files.purged.read();
    let { files, disk, taken, left } = this.#look();
    const isWorthIt = bytesOf(left) + textBytesOf([...taken, ...this.#memory]) > WORTH_WRITING;
    // Another process may be at it, or the disk full: then what is there is searched.
    if (isWorthIt && (await unlessBusy(updateIndex(this.#files, EFFORT_OF_SEARCH))))
      ({ files, disk, taken, left } = this.#look());
    if (taken.length > 0) {
      const built = buildSegment(taken, this.#files.artifacts, takenBy(pending));
      this.#memory = [...this.#memory, inMemory(built, textBytesOf(taken))];
      if (this.#memory.length > MOST_SEGMENTS)
        this.#memory = [inMemory(mergeSegments(this.#memory, files), textBytesOf(this.#memory))];
    }
    const covering = [...disk, ...this.#memory];
    return {
      view: this.#view(covering, pending),
      files,
      artifacts: this.#files.artifacts,
      gaps: left,
    };
  }

  /** Closes files, and forgets what the query needed. */
  endQuery(): void {
    this.#last?.view.endQuery();
    this.#disk.close();
  }

  /** What is on the disk, changing nothing. */
  onDisk(): { readonly chunks: number; readonly missingBytes: number } {
    const files = filesNow(this.#files.days);
    const disk = this.#disk.valid(files, this.#check);
    const chunks = disk.reduce((sum, { segment }) => sum + segment.layout.chunks, 0);
    return { chunks, missingBytes: bytesOf(gapsIn(files, piecesOf(disk))) };
  }

  /** Brings a part of what is missing to the disk. @returns whether there is more, and no other process is at it. */
  async update(): Promise<boolean> {
    try {
      return await updateIndex(this.#files, EFFORT_OF_UPDATE);
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  /** Does without a segment that cannot be read, or says what is not there. @param name of its file; undefined for those in memory. */
  async drop(name: string | undefined): Promise<void> {
    this.#memory = [];
    if (name === undefined) return;
    this.#disk.distrust(name);
    await unlessBusy(removeSegment(this.#files, name));
  }

  /** What is on the disk, what of the memory is still needed beside it, and what both lack: the part that is indexed next, and the rest. */
  #look() {
    const files = filesNow(this.#files.days);
    const disk = this.#disk.valid(files, this.#check);
    const written = piecesOf(disk);
    const isNeeded = (piece: Piece) => !written.some((other) => overlap(piece, other));
    this.#memory = this.#memory.filter(
      ({ pieces }) => this.#check.holds(pieces, files) && pieces.every(isNeeded),
    );
    const gaps = gapsIn(files, [...written, ...piecesOf(this.#memory)]);
    return { files, disk, ...takeLast(gaps, MOST_IN_MEMORY - textBytesOf(this.#memory)) };
  }

  /** The last view, as long as nothing has changed. */
  #view(covering: readonly Covering[], pending: Pending): View {
    const last = this.#last;
    const isSame = last?.pending === pending && last.covering.length === covering.length;
    if (last && isSame && last.covering.every((one, at) => one === covering[at])) return last.view;
    const onDisk = covering.filter(({ name }) => name !== undefined);
    const suspects = [
      ...this.#disk.suspects,
      ...suspectsIn(this.#memory),
      ...this.#memory.flatMap(({ segment }) =>
        onDisk.flatMap((other) => segment.eventsAlsoIn(other.segment)),
      ),
    ];
    const view = new View(covering, suspects, pending.length > 0 ? takenBy(pending) : undefined);
    this.#last = { covering, pending, view };
    return view;
  }
}

/** A segment that is not on the disk. */
interface InMemory extends Covering {
  /** Of the events that it covers, with the whole texts behind them. */
  readonly textBytes: number;
}

const inMemory = ({ layout, bytes, pieces }: WrittenSegment, textBytes: number): InMemory => ({
  segment: new Segment(layout, bytesInMemory(bytes)),
  pieces,
  textBytes,
});

const textBytesOf = (parts: readonly { readonly textBytes: number }[]): number =>
  parts.reduce((sum, { textBytes }) => sum + textBytes, 0);

const piecesOf = (covering: readonly Covering[]): Piece[] =>
  covering.flatMap(({ pieces }) => pieces);

import { stemmer } from "stemmer";
import { memoize } from "../core/memoize.ts";

/** Stop words, which reveal nothing about the subject. They include question words and fragments of contractions. */
const STOP_WORDS = new Set(
  `a about all also am an and any are aren as at be because been being both but by can could couldn d did didn do does
   doesn doing don during each for from further had hadn has hasn have haven having he her here hers him his how i if
   in into is isn it its itself just kind ll m me might must my nor of off on only or other our ours out re s shall she
   should shouldn so some such t than that the their theirs them then there these they this those through to too under
   up us ve very was wasn we were weren what when where which while who whom whose why will with would wouldn you your
   yours`.split(/\s+/),
);

/** Irregular forms, each after its base form, because a stemmer only removes endings. */
const IRREGULAR = `
  become became | begin began begun | bind bound | break broke broken | bring brought | build built | buy bought |
  catch caught | child children | choose chose chosen | come came | draw drew drawn | drive drove driven |
  eat ate eaten | fall fell fallen | feel felt | find found | fly flew flown | foot feet | forget forgot forgotten |
  freeze froze frozen | get got gotten | give gave given | go went gone | grow grew grown | hear heard |
  hide hid hidden | hold held | index indices | keep kept | know knew known | lead led | leave left | life lives |
  lose lost | make made | man men | meet met | mouse mice | pay paid | person people | rise rose risen | run ran |
  say said | see saw seen | sell sold | send sent | shake shook shaken | show shown | sing sang sung | sleep slept |
  speak spoke spoken | spend spent | stand stood | steal stole stolen | swim swam swum | take took taken |
  teach taught | tear tore torn | tell told | think thought | throw threw thrown | understand understood |
  wake woke woken | wear wore worn | win won | woman women | write wrote written`;

const BASE_FORMS = new Map(
  IRREGULAR.split("|").flatMap((entry) => {
    const [base = "", ...forms] = entry.trim().split(" ");
    return forms.map((form) => [form, base] as const);
  }),
);

/** Returns the term shared by all forms of a lower-case English word (`writes`, `wrote`), or '' for a stop word. */
export const readTerm = (word: string): string =>
  STOP_WORDS.has(word) ? "" : stemmer(BASE_FORMS.get(word) ?? word);

/** Cached, because stemming is slow. */
export const termOf = memoize(readTerm, 20_000);

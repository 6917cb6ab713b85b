/**
 * Words that are too common to distinguish texts: English ones, contractions without their apostrophe, and a few of
 * Japanese and Chinese.
 */
const STOP_WORDS = new Set(
  `a about above after again against ago all almost along already also although always am among an and
  another any anybody anyone anything are arent around as at away be became because become been before
  being below between both but by can cannot cant could couldnt did didnt do does doesnt doing dont
  down during each either else ever every everyone everything few for from further get gets getting go goes
  going got had hadnt has hasnt have havent having he hence her here hers herself him himself his how
  however i if in into is isnt it its itself just let lets like many may maybe me might mine more most much
  must mustnt my myself neither never no nobody none nor not nothing now of off often on once one only onto
  or other others ought our ours ourselves out over own per perhaps quite rather really same she should
  shouldnt since so some somebody someone something still such than that the their theirs them themselves
  then there these they this those though through thus to together too toward towards under until up upon
  us very via was wasnt we were werent what whatever when whenever where wherever whether which whichever
  while who whoever whom whose why will with within without wont would wouldnt yes yet you your yours
  yourself yourselves の は が を に へ と で も や から まで です ます した する 的 了 是 在 和 吗 呢 吧`.split(
    /\s+/,
  ),
)

/** For a word before stemming. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase().replace(/['’]/g, ''))
}

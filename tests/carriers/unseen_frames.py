"""More ways to collect the values of a loop in frames.

Their forms are those of `tests.carriers.constructs`. They were written before anybody looked at how the analysis
follows them.
"""

from __future__ import annotations

from tests.carriers.constructs import Construct, many

UNSEEN_FRAME: tuple[Construct, ...] = (
    many(
        "explode",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        (
            "df = pd.DataFrame({{'model': ['lr'], 'f1': [[r['f1'] for r in rows]]}})\n"
            "{o} = df.explode('f1')['f1'].astype(float)"
        ),
    ),
    many(
        "melt",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        (
            "long = pd.DataFrame(rows).assign(n=1.0).melt(id_vars=['model', 'fold'])\n"
            "{o} = long[long['variable'] == 'f1']['value']"
        ),
    ),
    many(
        "melt and query",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        (
            "long = pd.DataFrame(rows).melt(id_vars='fold', value_vars=['f1'], var_name='metric', value"
            "_name='score')\n"
            "{o} = long.query(\"metric == 'f1'\").score.astype(float).to_list()"
        ),
    ),
    many(
        "frames under keys",
        "frames = {{}}",
        "frames[f'fold{{len(frames)}}'] = pd.DataFrame({{'f1': [{v}]}})",
        "{o} = pd.concat(frames)['f1']",
    ),
    many(
        "concat with keys and names",
        "frames, ks = [], []",
        "frames.append(pd.DataFrame({{'f1': [{v}]}}))\nks.append(len(ks))",
        "df = pd.concat(frames, keys=ks, names=['fold', 'row']).reset_index()\n{o} = df['f1'].tolist()",
    ),
    many(
        "columns of two levels",
        "box = []",
        "box.append([{v}, 1.0])",
        (
            "df = pd.DataFrame(box, columns=pd.MultiIndex.from_tuples([('test', 'f1'), ('test', 'n')]))\n"
            "{o} = df[('test', 'f1')]"
        ),
    ),
    many(
        "row of two levels by loc",
        (
            "index = pd.MultiIndex.from_product([['lr'], range(N)], names=['m', 'k'])\n"
            "df = pd.DataFrame(index=index, columns=['f1'], dtype=float)\nk = 0"
        ),
        "df.loc[('lr', k), 'f1'] = {v}\nk += 1",
        "{o} = df['f1'].dropna()",
        "N = 40",
    ),
    many(
        "iterrows of pandas",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = []\nfor i, row in pd.DataFrame(rows).iterrows():\n    {o}.append(row['f1'])",
    ),
    many(
        "itertuples of pandas",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = [t.f1 for t in pd.DataFrame(rows).itertuples()]",
    ),
    many(
        "to_dict of lists",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows).to_dict('list')['f1']",
    ),
    many(
        "to_dict of records",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = [r['f1'] for r in pd.DataFrame(rows).to_dict(orient='records')]",
    ),
    many(
        "row as a transposed series",
        "df = pd.DataFrame()",
        "row = pd.Series({{'k': 1.0, 'f1': {v}}})\ndf = pd.concat([df, row.to_frame().T], ignore_index=True)",
        "{o} = df['f1']",
    ),
    many(
        "assign of pandas",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "df = pd.DataFrame({{'k': range(len(rows))}}).assign(f1=[r['f1'] for r in rows])\n{o} = df.f1",
    ),
    many(
        "pipe of steps",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows).pipe(only_lr).pipe(lambda d: d['f1'])",
        "def only_lr(d, name='lr'):\n    return d[d['model'] == name]",
    ),
    many(
        "sorted and dropped",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        (
            "{o} = pd.DataFrame(rows).sort_values('fold', ascending=False).drop_duplicates('fold').rese"
            "t_index(drop=True)['f1']"
        ),
    ),
    many(
        "sampled and renamed",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows).sample(frac=1, random_state=0).rename(columns={{'f1': 'score'}})['score']",
    ),
    many(
        "dropna of a subset",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows).dropna(subset=['fold'])['f1'].values",
    ),
    many(
        "filter of columns",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows).filter(items=['f1']).squeeze()",
    ),
    many(
        "filter like",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows).filter(like='f1').iloc[:, 0]",
    ),
    many(
        "isin mask",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "df = pd.DataFrame(rows)\n{o} = df.loc[df['model'].isin(['lr', 'svm']), 'f1'].to_numpy()",
    ),
    many(
        "nlargest of all",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows).nlargest(100, 'f1')['f1']",
    ),
    many(
        "clipped",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows)['f1'].clip(0, 1)",
    ),
    many(
        "group of a name",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows).groupby('model').get_group('lr')['f1']",
    ),
    many(
        "loop over groups",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "for name, g in pd.DataFrame(rows).groupby('model'):\n    {o} = g['f1'].values",
    ),
    many(
        "dict of series",
        "k, box = [], []",
        "box.append({v})\nk.append(len(k))",
        "df = pd.DataFrame({{'k': pd.Series(k), 'f1': pd.Series(box)}})\n{o} = df['f1']",
    ),
    many(
        "frame of named tuples",
        "rows = []",
        "rows.append(Row(len(rows), {v}))",
        "{o} = pd.DataFrame(rows)['f1']",
        "from collections import namedtuple\nRow = namedtuple('Row', 'fold f1')",
    ),
    many(
        "frame of tuples with columns",
        "rows = []",
        "rows.append(('lr', len(rows), {v}))",
        "df = pd.DataFrame(rows, columns=['model', 'fold', 'f1'])\n{o} = df[df.model == 'lr'].f1",
    ),
    many(
        "frame of an array",
        "box = np.zeros((N, 2))\nk = 0",
        "box[k] = [k, {v}]\nk += 1",
        "df = pd.DataFrame(box[:k], columns=['fold', 'f1'])\n{o} = df['f1'].values",
        "N = 40",
    ),
    many(
        "set_axis",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "df = pd.DataFrame(rows)[['fold', 'f1']].set_axis(['k', 's'], axis=1)\n{o} = df['s']",
    ),
    many(
        "popped column",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "df = pd.DataFrame(rows)\n{o} = df.pop('f1')",
    ),
    many(
        "items of a frame",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "for name, column in pd.DataFrame(rows).items():\n    if name == 'f1':\n        {o} = column",
    ),
    many(
        "xs of a level",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "df = pd.DataFrame(rows).set_index(['model', 'fold'])\n{o} = df.xs('lr', level='model')['f1']",
    ),
    many("series by label", "s = pd.Series(dtype='float64')", "s.at[f'fold{{len(s)}}'] = {v}", "{o} = s.to_list()"),
    many(
        "concat of columns",
        "a_ = []",
        "a_.append({v})",
        ("df = pd.concat([pd.Series(range(len(a_)), name='k'), pd.Series(a_, name='f1')], axis=1)\n{o} = df['f1']"),
    ),
    many(
        "to_numeric",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "df = pd.DataFrame(rows).astype({{'f1': str}})\n{o} = pd.to_numeric(df['f1'])",
    ),
    many(
        "pivot by fold",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        ("wide = pd.DataFrame(rows).pivot(index='model', columns='fold', values='f1')\n{o} = wide.loc['lr'].values"),
    ),
    many(
        "pivot_table of one",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "wide = pd.DataFrame(rows).pivot_table(index='fold', columns='model', values='f1')\n{o} = wide['lr']",
    ),
    many(
        "stacked",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows)[['f1']].stack().values",
    ),
    many(
        "combine_first",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "s = pd.DataFrame(rows)['f1']\n{o} = s.combine_first(pd.Series([0.0]))",
    ),
    many(
        "row apply with two columns",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "df = pd.DataFrame(rows)\ndf['s'] = df.apply(lambda r: r['f1'] + 0 * r['fold'], axis=1)\n{o} = df['s']",
    ),
    many(
        "agg to a list",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows).groupby('model').agg({{'f1': list}}).loc['lr', 'f1']",
    ),
    many(
        "where",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "df = pd.DataFrame(rows)\n{o} = df['f1'].where(df['fold'] >= 0)",
    ),
    many(
        "map of models",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        (
            "df = pd.DataFrame(rows)\ndf['name'] = df['model'].map({{'lr': 'Logistic'}})\n"
            "{o} = df.set_index('name').loc['Logistic', 'f1']"
        ),
    ),
    many(
        "columns by position",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows).iloc[:, -1].tolist()",
    ),
    many(
        "loc of columns",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows).loc[:, ['fold', 'f1']].to_numpy()[:, 1]",
    ),
    many(
        "categorical",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        (
            "df = pd.DataFrame(rows)\ndf['model'] = pd.Categorical(df['model'])\n"
            "{o} = df.groupby('model', observed=True)['f1'].apply(np.array)['lr']"
        ),
    ),
    many(
        "frame in a dict of frames",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "tables = {{'lr': pd.DataFrame(rows)}}\n{o} = tables['lr']['f1']",
    ),
    many(
        "column by a name",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "col = 'f1'\n{o} = getattr(pd.DataFrame(rows), col)",
    ),
    many(
        "copied and filled",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "df = pd.DataFrame(rows).copy()\ndf['f1'] = df['f1'].fillna(0)\n{o} = df['f1']",
    ),
    many(
        "append of a frame to itself",
        "df = pd.DataFrame(columns=['fold', 'f1'])",
        "df = pd.concat([df if len(df) else None, pd.DataFrame([[len(df), {v}]], columns=['fold', 'f1'])])",
        "{o} = df['f1'].astype(float)",
    ),
    many(
        "records to a frame with an index",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "df = pd.DataFrame.from_records(rows, index='fold')\n{o} = df['f1'].to_numpy()",
    ),
    many(
        "head of all",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "{o} = pd.DataFrame(rows).head(len(rows))['f1']",
    ),
    many(
        "ranked",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "df = pd.DataFrame(rows)\ndf['rank'] = df['f1'].rank()\n{o} = df.sort_values('rank')['f1']",
    ),
    many(
        "cumulative",
        "rows = []",
        "rows.append({{'model': 'lr', 'fold': len(rows), 'f1': {v}}})",
        "df = pd.DataFrame(rows)\n{o} = np.diff(np.concatenate([[0], df['f1'].cumsum()]))",
    ),
)

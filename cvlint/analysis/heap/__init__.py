"""The heap: containers, objects and files, which programs change in place.

In go the state, a container and a key; out comes the value that was read, or the changed container.

A container is a `cvlint.analysis.domain.heap_object.HeapObject`: ``fields`` hold the entries under known keys,
``elements`` the join of all others, and ``extent`` the loops that fill them. An object of a class of the project is an
`Instance`. A file is a list of records that is found again by its path (`files`, `paths`). All idioms come down to one
write (`entries`) and one merge (`merge`). `writes` and `reads` tell the forms of keys apart, `positions` knows slices,
and `branches` joins what the arms of a branch wrote. The syntax or the method of a Python idiom decides where it
enters:

======================================  ==========================================  ========================
Python                                  enters the analysis in                      works on the heap in
======================================  ==========================================  ========================
``x[key]``                              `interpreter.expressions`                   `reads.read_entry`
``x[1:]``, ``first, *rest = x``         `reads`, `interpreter.assignments`          `positions.slice_of`
``X[test]``, ``frame.iloc[0]``          `reads`                                     `row_selection`
``x[key] = v``, ``x[key] += v``         `interpreter.assignments`                   `writes.write_entry`
``x.name = v``                          `interpreter.assignments.set_attribute`     `entries.grown`
``{"f1": v}``, ``{k: v for …}``         `interpreter.expressions`, `…loops`         `writes.write_container`
``[f(x) for x in xs]``                  `interpreter.loops`                         `entries.add_element`
``[*xs, y]``, ``{**d, "f1": v}``        `interpreter.expressions`                   `merge.merge`
``xs + ys``, ``d | e``                  `interpreter.arithmetic`                    `merge.merged`
``xs += ys``, ``d |= e``                `interpreter.arithmetic`, `…assignments`    `merge.merge`
``list.append``, ``queue.put``          `models.containers.lists_and_dicts`         `entries.append_entry`
``list.extend``, ``dict.update``        `models.containers.lists_and_dicts`         `merge.merge`
``list(x)``, ``sorted(x)``, ``dict(x)`` `models.containers.lists_and_dicts`         `merge.merged`
``copy.deepcopy(x)``, ``x.copy()``      `models.containers.lists_and_dicts`         `merge.copied`
``dict.setdefault``, ``list.clear``     `models.containers.lists_and_dicts`         `entries`
``dict.get``, ``list.pop``              `models.containers.lists_and_dicts`         `reads.read_entry_of`
``np.zeros(n)``, ``pd.DataFrame(…)``    `models.containers.arrays_and_frames`       (there: allocation)
``np.concatenate``, ``pd.concat``       `models.containers.concatenation`           `merge.merge`
``np.save``, ``open``, ``read_csv``     `models.containers.files`                   `files.write_record`, …
``np.mean(x)``, ``frame.groupby``       `models.containers.reductions`, …           `reads`
======================================  ==========================================  ========================

Which method names have which effect is written in ``rules/knowledge/methods.toml``: ``effect = "update"`` leads to
the transfer function `update_method`, by the table `cvlint.analysis.models.dispatch.effects`.
"""
